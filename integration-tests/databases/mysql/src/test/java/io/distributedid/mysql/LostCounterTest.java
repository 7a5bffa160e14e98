package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.SwitchingDataSource;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server forgets which ids it gave: no client gets one of them again. */
@Needs(Need.MYSQL)
class LostCounterTest {

    /** Ten blocks. */
    private static final int SOME = 100;

    /** So many that each server has noted how far the other has come. */
    private static final int MANY = 400;

    private static final long RAISED = 20_000_000;

    private final MySqlServer first = MySqlServers.odd();

    private final MySqlServer second = MySqlServers.even();

    @ParameterizedTest
    @CsvSource({
        "ticket, DELETE FROM Tickets64, false",
        "ticket, TRUNCATE TABLE Tickets64, true",
        "ticket, DROP TABLE Tickets64, true",
        "sequence_table, DROP TABLE sequence, true"
    })
    void aRowThatIsGoneIsCreatedAboveAllIds(String backend, String loss, boolean isRunning) throws SQLException {
        String schema = "pair" + Math.abs((backend + loss + isRunning).hashCode());
        List<String> servers = List.of(first.jdbcUrl(schema), second.jdbcUrl(schema));
        GivenIds given = new GivenIds();
        DistributedIds client = GivenIds.client(backend, servers);
        given.take(client, SOME);
        if (!isRunning) {
            client.close();
        }
        List<String> before = versions(first.jdbcUrl(schema));

        lose(first.jdbcUrl(schema), loss, backend);
        if (!isRunning) {
            client = GivenIds.client(backend, servers);
        }
        given.take(client, SOME);
        takeUntilRaised(given, client, backend, schema);
        client.close();

        given.assertNoneTwice();
        assertThat(versions(first.jdbcUrl(schema)))
                .as("the raise is fenced")
                .hasSize(1)
                .doesNotContainAnyElementsOf(before);
    }

    private static List<String> versions(String server) throws SQLException {
        return DatabaseRows.rows(
                server, "SELECT version FROM distributedid WHERE name LIKE '%/%' AND name NOT LIKE '%@%'");
    }

    /** A row that is deleted between the look of a draw and its REPLACE was not needed: the lock keeps draws whole. */
    private static void lose(String server, String loss, String backend) throws SQLException {
        DatabaseRows.execute(server, "LOCK TABLES " + table(backend) + " WRITE", loss, "UNLOCK TABLES");
    }

    @ParameterizedTest
    @CsvSource({"ticket, TRUNCATE TABLE Tickets64, true", "sequence_table, DROP TABLE sequence, false"})
    void aSingleServerWhoseRowIsGoneIsRefusedUntilItIsRepaired(String backend, String loss, boolean isRunning)
            throws SQLException {
        String schema = "single" + Math.abs((backend + loss + isRunning).hashCode());
        String server = first.jdbcUrl(schema);
        GivenIds given = new GivenIds();
        DistributedIds client = GivenIds.client(backend, server, "block.timeout", "1s");
        given.take(client, SOME);
        if (!isRunning) {
            client.close();
        }

        lose(server, loss, backend);
        if (!isRunning) {
            client = GivenIds.client(backend, server, "block.timeout", "1s");
        }
        RuntimeException refusal = given.takeUntilRefused(client, SOME);
        given.assertNoneTwice();
        assertThat(refusal).hasMessageContaining(" --above ID");

        client.admin().repair("photos", given.highest());
        given.takeOnceGiven(client, SOME);
        client.close();
        given.assertNoneTwice();
    }

    /** Of one server, or of one of two, by what the other one knows. */
    @Test
    void aRestoredDataDirectoryIsNoticed() throws SQLException {
        List<Counting> all = new ArrayList<>();
        for (String backend : List.of("ticket", "sequence_table")) {
            all.add(new Counting(backend, "witness"));
            all.add(new Counting(backend, "alone"));
        }
        for (Counting each : all) {
            each.given.take(each.client, each.kind.equals("witness") ? MANY : SOME);
        }
        first.saveData();
        for (Counting each : all) {
            each.advance();
        }
        for (Counting each : all) {
            if (each.kind.equals("witness")) {
                each.client.close();
            }
        }
        first.restoreData();
        for (Counting each : all) {
            switch (each.kind) {
                case "witness" -> {
                    each.client = each.open();
                    takeAndAwaitRaise(each);
                }
                default -> {
                    each.given.takeUntilRefusedFor(each.client, SOME, "went back");
                    each.given.assertNoneTwice();
                    each.client.admin().repair("photos", each.given.highest());
                    each.given.takeOnceGiven(each.client, SOME);
                }
            }
            each.client.close();
            each.given.assertNoneTwice();
        }
    }

    private void takeAndAwaitRaise(Counting counting) throws SQLException {
        counting.given.take(counting.client, SOME);
        takeUntilRaised(counting.given, counting.client, counting.backend, counting.schema);
    }

    /** A counter on one of the servers, or on both. */
    private final class Counting {

        final String backend;

        final String kind;

        final String schema;

        final GivenIds given = new GivenIds();

        DistributedIds client;

        Counting(String backend, String kind) {
            this.backend = backend;
            this.kind = kind;
            schema = kind + backend;
            client = open();
        }

        DistributedIds open() {
            return kind.equals("alone")
                    ? GivenIds.client(backend, first.jdbcUrl(schema), "block.timeout", "1s")
                    : GivenIds.client(backend, List.of(first.jdbcUrl(schema), second.jdbcUrl(schema)));
        }

        /** A server whose connections broke is left out for a while. */
        void advance() throws SQLException {
            String query = "SELECT MAX(id) FROM " + table(backend);
            int more = kind.equals("witness") ? 2 * MANY : 2 * SOME;
            long goal = DatabaseRows.number(first.jdbcUrl(schema), query) + more;
            Await.until(
                    "the server is used again and is at " + goal + ": " + schema,
                    () -> {
                        if (!kind.equals("alone") || given.tryToTake(client, 1) == null) {
                            given.take(client, 100);
                        }
                        return DatabaseRows.number(first.jdbcUrl(schema), query) >= goal;
                    },
                    () -> DatabaseRows.number(first.jdbcUrl(schema), query));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ticket", "sequence_table"})
    void anAddressThatLeadsToAnotherStoreIsRefused(String backend) throws SQLException {
        String ours = first.jdbcUrl("ours" + backend);
        String others = second.jdbcUrl("others" + backend);
        Object[] numbering = backend.equals("ticket") ? new Object[] {"ticket.numbering", "client"} : new Object[0];
        GivenIds theirs = new GivenIds();
        try (DistributedIds client = GivenIds.client(backend, others, numbering)) {
            theirs.take(client, MANY);
        }
        GivenIds given = new GivenIds();
        SwitchingDataSource address = new SwitchingDataSource(ours);
        try (DistributedIds client = GivenIds.client(backend, List.of(address), numbering)) {
            given.take(client, MANY / 2);
            long before = DatabaseRows.number(others, "SELECT MAX(id) FROM " + table(backend));
            address.to(others);
            RuntimeException refusal = given.takeUntilRefused(client, MANY);
            assertThat(refusal).hasMessageContaining("The servers must belong to one id space");
            assertThat(DatabaseRows.number(others, "SELECT MAX(id) FROM " + table(backend)))
                    .as("nothing was drawn there")
                    .isEqualTo(before);
            address.to(ours);
            given.takeOnceGiven(client, MANY);
        }
        given.assertNoneTwice();
    }

    private static String table(String backend) {
        return backend.equals("ticket") ? "Tickets64" : "sequence";
    }

    private void takeUntilRaised(GivenIds given, DistributedIds client, String backend, String schema)
            throws SQLException {
        String query = "SELECT COALESCE(MAX(id), 0) FROM " + table(backend);
        Await.until(
                "the server is raised by twice max_distance",
                () -> {
                    if (tableIsThere(backend, schema) && DatabaseRows.number(first.jdbcUrl(schema), query) >= RAISED) {
                        return true;
                    }
                    given.take(client, 100);
                    given.assertNoneTwice();
                    return false;
                },
                () -> client.admin().check("photos"));
        given.take(client, SOME);
    }

    private boolean tableIsThere(String backend, String schema) throws SQLException {
        return !DatabaseRows.rows(first.jdbcUrl(schema), "SHOW TABLES LIKE '" + table(backend) + "'")
                .isEmpty();
    }
}

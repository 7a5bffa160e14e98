package io.distributedid.mysql;

import static io.distributedid.mysql.TicketPair.execute;
import static io.distributedid.mysql.TicketPair.first;
import static io.distributedid.mysql.TicketPair.label;
import static io.distributedid.mysql.TicketPair.number;
import static io.distributedid.mysql.TicketPair.pair;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the ticket backend refuses on real servers, each with what the servers said and the lines for my.cnf. */
@Needs(Need.MYSQL)
class TicketBootCheckTest {

    /** Where the page for whoever is on call has it. */
    private static final String ROW =
            ". See https://github.com/distributedid/distributedid/blob/main/src/docs" + "/on-call.md#counter-overlap";

    private final MySqlServer odd = MySqlServers.odd();

    private final MySqlServer even = MySqlServers.even();

    /** Other tests leave their tables. */
    @BeforeEach
    void empty() throws SQLException {
        execute(odd, "DROP DATABASE " + TicketPair.SCHEMA);
        execute(even, "DROP DATABASE " + TicketPair.SCHEMA);
    }

    @AfterEach
    void setBack() throws SQLException {
        number(odd, 2, 1);
        number(even, 2, 2);
    }

    @Test
    void serversThatAreNotSetUpAreRefused() throws SQLException {
        number(odd, 1, 1);
        number(even, 1, 1);

        refusesOverlap("increment=1 offset=1", "increment=1 offset=1");
    }

    @Test
    void equalOffsetsAreRefused() throws SQLException {
        number(even, 2, 1);

        refusesOverlap("increment=2 offset=1", "increment=2 offset=1");
    }

    @Test
    void differentIncrementsAreRefused() throws SQLException {
        number(even, 3, 2);

        refusesOverlap("increment=3 offset=2", "increment=2 offset=1");
    }

    @Test
    void anOffsetAboveTheIncrementIsRefused() throws SQLException {
        number(odd, 2, 3);

        assertThatThrownBy(() -> first(pair(), Map.of("distributedid.create_tables", "true")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A ticket server ignores an offset above its increment: " + label(odd)
                        + " says increment=2 offset=3. In my.cnf, give all servers the same auto_increment_increment,"
                        + " at least the number of servers, and each its own auto_increment_offset, at most the"
                        + " increment; or set distributedid.ticket.numbering=client in all applications");
    }

    @Test
    void oneServerUnderTwoNamesIsRefused() {
        String again = odd.jdbcUrl(TicketPair.SCHEMA).replace("127.0.0.1", "localhost");
        Map<String, String> twice =
                Map.of("distributedid.create_tables", "true", "distributedid.ticket.table", "TicketsTwice");

        assertThatThrownBy(() -> first(odd.jdbcUrl(TicketPair.SCHEMA) + ", " + again, twice))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("Two servers would give the same ids: table=TicketsTwice on ")
                .hasMessageEndingWith(". List no server twice" + ROW);
    }

    @Test
    void aNumberingThatChangesUnderARunningApplicationIsRefusedWithBothValues() throws SQLException {
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.servers", pair(),
                "distributedid.create_tables", "true"))) {
            ids.next("photos");
            number(odd, 3, 1);
            endConnections(odd);

            Await.until("the connections have ended", () -> !failures(ids).isEmpty());
            assertThat(failures(ids))
                    .allSatisfy(failure -> assertThat(failure)
                            .startsWith("Clients must number the servers alike: table=Tickets64 on " + label(odd)
                                    + " is used with increment=2 offset=1, but this client has increment=3 offset=1. ")
                            .contains("if my.cnf numbers the servers, restore it"));
        }
    }

    private static List<String> failures(DistributedIds ids) {
        return ids.admin().check("photos").stream()
                .filter(result -> result.status() == CheckResult.Status.FAILED)
                .map(CheckResult::detail)
                .toList();
    }

    private static void endConnections(MySqlServer server) throws SQLException {
        try (Connection connection = server.connect("mysql");
                Statement select = connection.createStatement();
                Statement kill = connection.createStatement();
                ResultSet row = select.executeQuery(
                        "SELECT id FROM information_schema.processlist WHERE db = '" + TicketPair.SCHEMA + "'")) {
            while (row.next()) {
                kill.execute("KILL " + row.getLong(1));
            }
        }
    }

    @Test
    void clientsCanNumberServersThatAreNotSetUp() throws SQLException {
        number(odd, 1, 1);
        number(even, 1, 1);
        Map<String, String> byClient = Map.of(
                "distributedid.ticket.numbering", "client",
                "distributedid.create_tables", "true",
                "distributedid.ticket.table", "TicketsByClient");

        assertThat(first(pair(), byClient) % 10).isEqualTo(1);
        assertThatThrownBy(
                        () -> first(even.jdbcUrl(TicketPair.SCHEMA) + ", " + odd.jdbcUrl(TicketPair.SCHEMA), byClient))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("Clients must number the servers alike: table=TicketsByClient on " + label(even)
                        + " is used with increment=10 offset=2, but this client has increment=10 offset=1. ");
    }

    @Test
    void aReplicaIsRefused() throws SQLException {
        execute(even, "SET GLOBAL read_only = 1");
        try {
            assertThatThrownBy(() -> first(pair(), Map.of("distributedid.create_tables", "true")))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A ticket server must be writable: " + label(even)
                            + " says read_only=1. If it is a replica, list its source in its place; else write"
                            + " into my.cnf:"
                            + " read_only=0 innodb_read_only=0" + Pages.onCall("read-only"));
        } finally {
            execute(even, "SET GLOBAL read_only = 0");
        }
    }

    private void refusesOverlap(String seen, String other) {
        assertThatThrownBy(() -> first(pair(), Map.of("distributedid.create_tables", "true")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("Two servers would give the same ids: table=Tickets64 on " + label(even) + " has " + seen
                        + ", and another has " + other + ". In my.cnf, give all servers the same"
                        + " auto_increment_increment, at least the number of servers, and each its own"
                        + " auto_increment_offset; restart the servers, then the applications. Or set"
                        + " distributedid.ticket.numbering=client in all applications. List no server twice"
                        + ROW);
    }
}

package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.IdsExhaustedException;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.SwitchingDataSource;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counters that come to the end of their column, or stand near it by mistake. */
@Needs(Need.MYSQL)
class TicketEndTest {

    private static final long LARGEST = 4_294_967_295L;

    private static final long WRONG = 9_200_000_000_000_000_001L;

    private static String url(int shard, String schema) {
        return MySqlServers.shard(shard).jdbcUrl(schema);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "50, 2", "1000, 3"})
    void noIdComesTwiceAtTheEndOfAnIntColumnWithoutStrictMode(int block, int increment) throws SQLException {
        String schema = "ends_" + block + "_" + increment;
        String server = url(0, schema);
        DatabaseRows.execute(server, intTable());
        List<Object> servers = new ArrayList<>(List.of(withoutStrictMode(server)));
        for (int other = 1; other < increment; other++) {
            servers.add(withoutStrictMode(url(other, schema)));
            DatabaseRows.execute(url(other, schema), intTable());
        }
        GivenIds given = new GivenIds();
        try (DistributedIds client = client(servers, block)) {
            given.take(client, 3 * increment);
            for (int place = 0; place < increment; place++) {
                long near = LARGEST - 40L * increment;
                long last = near - Math.floorMod(near - (place + 1), increment);
                DatabaseRows.execute(
                        url(place, schema), "REPLACE INTO Tickets64 (stub, id) VALUES ('a', " + last + ")");
            }
            RuntimeException end = given.takeUntilRefused(client, 5_000);
            assertThat(end).hasMessageContaining("at the end of its column");
            assertThat(end).isInstanceOf(IdsExhaustedException.class);
            given.tryToTake(client, 100);
        }
        given.assertNoneTwice();
        assertThat(given.highest()).isLessThan(LARGEST);
    }

    @Test
    void aServerAtItsEndFailsOverToTheOther() throws SQLException {
        List<Object> servers = List.of(withoutStrictMode(url(0, "one_ends")), withoutStrictMode(url(1, "one_ends")));
        DatabaseRows.execute(url(0, "one_ends"), intTable());
        GivenIds given = new GivenIds();
        try (DistributedIds client = client(servers, 7)) {
            given.take(client, 50);
            client.admin().raise("photos", LARGEST - 200);
            given.take(client, 1_000);
            assertThat(given.highest()).as("the other has a wider column").isGreaterThan(LARGEST);
        }
        given.assertNoneTwice();
        try (DistributedIds started = client(servers, 7)) {
            given.take(started, 100);
        }
        given.assertNoneTwice();
    }

    @Test
    void oneOfThreeThatStandsNearTheEndByMistakeIsRefusedAndTheOthersGoOn() throws SQLException {
        String schema = "mistake";
        List<String> servers = List.of(url(0, schema), url(1, schema), url(2, schema));
        GivenIds given = new GivenIds();
        DistributedIds client = GivenIds.tickets(servers, "ticket.numbering", "client");
        given.take(client, 600);
        long wrong = WRONG - Math.floorMod(WRONG - 2, 10);
        DatabaseRows.execute(servers.get(1), "REPLACE INTO Tickets64 (stub, id) VALUES ('a', " + wrong + ")");
        given.take(client, 600);
        assertThat(client.admin().check("photos"))
                .filteredOn(finding -> finding.toString().contains("so far ahead of all known ids"))
                .isNotEmpty();
        client.close();

        given.assertNoneTwice();
        for (int good : List.of(0, 2)) {
            assertThat(DatabaseRows.number(servers.get(good), "SELECT id FROM Tickets64"))
                    .as("not raised to the one that is wrong")
                    .isLessThan(1_000_000);
        }
    }

    private static DistributedIds client(List<Object> servers, int block) {
        return GivenIds.tickets(
                servers,
                "ticket.numbering",
                "client",
                "ticket.increment",
                servers.size(),
                "block.min",
                block,
                "block.max",
                block);
    }

    private static SwitchingDataSource withoutStrictMode(String url) {
        return new SwitchingDataSource(url + "&sessionVariables=sql_mode=''&jdbcCompliantTruncation=false");
    }

    private static String intTable() {
        return "CREATE TABLE Tickets64 (id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,"
                + " stub CHAR(1) NOT NULL DEFAULT '' UNIQUE) ENGINE=InnoDB";
    }
}

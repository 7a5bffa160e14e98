package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A server that stands alone was restored from a backup, and an operator repairs it by the largest id in the tables.
 * Processes that run have reserved larger ones, which nobody has stored yet.
 */
class RepairedCounterTest {

    private static final String URL = "jdbc:h2:mem:repaired;DB_CLOSE_DELAY=-1";

    private final GivenIds given = new GivenIds();

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("repaired");
        given.assertNoneTwice();
    }

    @Test
    void aRepairSkipsWhatOthersHaveReserved() throws SQLException {
        try (DistributedIds first = GivenIds.sequenceTable(URL);
                DistributedIds second = GivenIds.sequenceTable(URL)) {
            given.take(first, 100);
            List<String> backup = DatabaseRows.rows(URL, "SCRIPT DROP");
            given.take(first, 200);
            // Each has reserved at least one id that it has not given.
            given.take(second, 1);
            for (String statement : backup) {
                DatabaseRows.execute(URL, statement);
            }
            assertThat(DatabaseRows.number(URL, "SELECT MAX(id) FROM sequence")).isLessThan(given.highest());

            try (DistributedIds operator = GivenIds.sequenceTable(URL)) {
                operator.admin().repair("photos", given.highest());
            }

            try (DistributedIds third = GivenIds.sequenceTable(URL)) {
                given.take(third, 100);
            }
            given.take(second, 5);
            given.take(first, 5);
        }
    }

    /** A dump of the counters alone was loaded, and the ledger remembers more. */
    @Test
    void aCounterBelowItsRowIsRaisedAboveIt() throws SQLException {
        try (DistributedIds ids = GivenIds.sequenceTable(URL)) {
            ids.admin().raise("photos", 1_000);
            given.take(ids, 500);
        }
        DatabaseRows.execute(URL, "UPDATE sequence SET id = 20");
        try (DistributedIds ids = GivenIds.sequenceTable(URL)) {
            String lost = "A counter went back and may give ids again: table=sequence name=photos on"
                    + " jdbc:h2:mem:repaired id=20 now, but ids up to 15";
            assertThatThrownBy(() -> ids.next("photos")).hasMessageContaining(lost);
            assertThatThrownBy(() -> ids.admin().repair("photos", 0))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(lost)
                    .hasMessageContaining("distributedid repair photos --above ID");
            assertThat(ids.admin().repair("photos", 100)).isGreaterThan(1_000_000);
            given.take(ids, 50);
        }
    }

    @Test
    void aRepairOfEmptiedTablesSkipsWhatOthersHaveReserved() throws SQLException {
        try (DistributedIds first = GivenIds.sequenceTable(URL, "block.min", 100, "block.max", 100)) {
            given.take(first, 30);
            DatabaseRows.execute(URL, "TRUNCATE TABLE sequence", "TRUNCATE TABLE distributedid");
            try (DistributedIds operator = GivenIds.sequenceTable(URL)) {
                operator.admin().repair("photos", given.highest());
            }
            try (DistributedIds second = GivenIds.sequenceTable(URL)) {
                given.take(second, 30);
            }
            given.take(first, 30);
        }
    }

    @Test
    void emptiedTablesAreNotRepairedWithoutTheLargestIdInUse() throws SQLException {
        try (DistributedIds ids = GivenIds.sequenceTable(URL)) {
            given.take(ids, 30);
        }
        for (String emptied : List.of("sequence", "distributedid")) {
            DatabaseRows.execute(URL, "TRUNCATE TABLE " + emptied);
        }
        try (DistributedIds ids = GivenIds.sequenceTable(URL)) {
            assertThatThrownBy(() -> ids.admin().repair("photos", 0))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("A server has lost its counters, or another has taken its place:"
                            + " table=sequence name=photos on jdbc:h2:mem:repaired has no header in its ledger.")
                    .hasMessageContaining("with --above ID, the largest id in use");
            assertThat(DatabaseRows.rows(URL, "SELECT * FROM sequence")).isEmpty();
            assertThat(DatabaseRows.rows(URL, "SELECT * FROM distributedid")).isEmpty();
        }
    }

    /** Another counter of the table is in use. */
    @Test
    void aCounterWithoutRowsIsNotRepairedWithoutTheLargestIdInUse() throws SQLException {
        try (DistributedIds ids = GivenIds.sequenceTable(URL)) {
            given.take(ids, 30);
            assertThat(ids.next("albums")).isPositive();
        }
        DatabaseRows.execute(
                URL,
                "DELETE FROM sequence WHERE name = 'photos'",
                "DELETE FROM distributedid WHERE name LIKE '%/photos%'");
        try (DistributedIds ids = GivenIds.sequenceTable(URL)) {
            assertThatThrownBy(() -> ids.admin().repair("photos", 0)).hasMessageContaining("--above ID");
            ids.admin().repair("photos", given.highest());
            given.take(ids, 30);
            assertThat(ids.next("albums")).isPositive();
        }
    }
}

package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.Await;
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
                operator.repair("photos", given.highest());
            }

            try (DistributedIds third = GivenIds.sequenceTable(URL)) {
                given.take(third, 100);
            }
            given.take(second, 5);
            given.take(first, 5);
        }
    }

    /** Processes may have been promised that ids up to the floor are taken: a dump of the counters alone was loaded. */
    private void setBackBelowTheFloor() throws SQLException {
        try (DistributedIds ids = GivenIds.sequenceTable(URL)) {
            ids.raiseAbove("photos", 1_000);
            given.take(ids, 500);
        }
        DatabaseRows.execute(URL, "UPDATE sequence SET id = 20");
        try (DistributedIds ids = GivenIds.sequenceTable(URL)) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .hasMessageContaining("A counter went back and may give ids again: table=sequence name=photos on"
                            + " jdbc:h2:mem:repaired id=20 now, but its record has floor=1000");
        }
    }

    @Test
    void aCounterBelowItsFloorIsNotRetired() throws SQLException {
        setBackBelowTheFloor();
        try (DistributedIds ids = GivenIds.sequenceTable(URL)) {
            assertThatThrownBy(() -> ids.retire("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("A server may have lost ids, so the first free id for the new place is"
                            + " unknown: table=sequence name=photos on jdbc:h2:mem:repaired id=20 floor=1000.");
        }
    }

    @Test
    void aCounterBelowItsFloorIsRaisedAboveTheFloor() throws SQLException {
        setBackBelowTheFloor();
        try (DistributedIds ids = GivenIds.sequenceTable(URL)) {
            assertThatThrownBy(() -> ids.repair("photos", 0))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("No other server knows how far this one must be raised: table=sequence"
                            + " name=photos on jdbc:h2:mem:repaired id=20 floor=1000. Say the largest id in use:");
            assertThat(ids.repair("photos", 100).lastIds().values())
                    .allSatisfy(last -> assertThat(last).isGreaterThan(1_000_000));
            given.take(ids, 50);
        }
    }

    @Test
    void aRepairOfEmptiedTablesSkipsWhatOthersHaveReserved() throws SQLException {
        try (DistributedIds first = GivenIds.sequenceTable(URL, "block.min", 100, "block.max", 100)) {
            given.take(first, 30);
            DatabaseRows.execute(URL, "TRUNCATE TABLE sequence", "TRUNCATE TABLE distributedid_record");
            try (DistributedIds operator = GivenIds.sequenceTable(URL)) {
                operator.repair("photos", given.highest());
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
        for (String emptied : List.of("sequence", "distributedid_record")) {
            DatabaseRows.execute(URL, "TRUNCATE TABLE " + emptied);
        }
        try (DistributedIds ids = GivenIds.sequenceTable(URL)) {
            assertThatThrownBy(() -> ids.repair("photos", 0))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("No server has the counter, so nobody knows which ids were given: table=sequence"
                            + " name=photos. Say the largest id in use: distributedid repair photos --above ID; if the"
                            + " sequence is new, start the application");
            assertThat(DatabaseRows.rows(URL, "SELECT * FROM sequence")).isEmpty();
            assertThat(DatabaseRows.rows(URL, "SELECT * FROM distributedid_record"))
                    .isEmpty();
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
                "DELETE FROM distributedid_record WHERE counter = 'sequence/photos'");
        try (DistributedIds ids = GivenIds.sequenceTable(URL)) {
            assertThatThrownBy(() -> ids.repair("photos", 0))
                    .hasMessageStartingWith("No server has the counter, so nobody knows which ids were given: ");
            ids.repair("photos", given.highest());
            given.take(ids, 30);
        }
    }

    /** The counter stands at the last id that the old process would hand back, under the same generation. */
    @Test
    void aProcessFromBeforeTheTablesWereEmptiedHandsNothingBack() throws SQLException {
        DistributedIds old = GivenIds.sequenceTable(URL);
        try {
            new GivenIds().take(old, 9);
            Await.until("the next block is fetched", () -> counter() == 20);
            DatabaseRows.execute(URL, "TRUNCATE TABLE sequence", "TRUNCATE TABLE distributedid_record");
            try (DistributedIds anew = GivenIds.sequenceTable(URL, "block.min", 1, "block.max", 1)) {
                given.take(anew, 20);
                assertThat(counter()).isEqualTo(20);
                old.close();
                given.take(anew, 1);
            }
        } finally {
            old.close();
        }
        try (DistributedIds another = GivenIds.sequenceTable(URL)) {
            given.take(another, 20);
        }
    }

    private static long counter() throws SQLException {
        return DatabaseRows.number(URL, "SELECT MAX(id) FROM sequence");
    }
}

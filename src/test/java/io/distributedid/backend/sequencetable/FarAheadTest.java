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

/** Somebody sets one of two counters far ahead by mistake, and sets it right later. No counter has followed it. */
class FarAheadTest {

    private static final String ODD = "jdbc:h2:mem:far_odd;DB_CLOSE_DELAY=-1";

    private static final String EVEN = "jdbc:h2:mem:far_even;DB_CLOSE_DELAY=-1";

    /** More than a thousand times {@code max_distance} ahead. */
    private static final long WRONG = 5_000_000_000_000L;

    private static final long MAX_DISTANCE = 1_000_000;

    private static final String NOTE = " WHERE counter = 'sequence/photos' AND server = 2";

    private final GivenIds given = new GivenIds();

    private static DistributedIds client() {
        return GivenIds.sequenceTable(List.of(ODD, EVEN), "max_distance", MAX_DISTANCE);
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("far_odd", "far_even");
        given.assertNoneTwice();
    }

    /** Gives ids, and returns the last one of the second server. */
    private long used() throws SQLException {
        try (DistributedIds ids = client()) {
            given.take(ids, 200);
        }
        return counter();
    }

    private static long counter() throws SQLException {
        return DatabaseRows.number(EVEN, "SELECT id FROM sequence WHERE name = 'photos'");
    }

    private static void set(long id) throws SQLException {
        DatabaseRows.execute(EVEN, "UPDATE sequence SET id = " + id + " WHERE name = 'photos'");
    }

    @Test
    void theOtherServerDoesNotNoteItWhileAReplicaTakesItsPlace() throws SQLException {
        long right = used();
        set(WRONG);
        DatabaseRows.execute(
                ODD, "UPDATE distributedid_record SET server_identity = 'before' WHERE counter = 'sequence/photos'");
        try (DistributedIds ids = client()) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("id=" + WRONG + ", others id=");
        }
        assertThat(DatabaseRows.number(ODD, "SELECT MAX(id) FROM sequence"))
                .as("the replica was raised")
                .isGreaterThan(MAX_DISTANCE);

        set(right);
        try (DistributedIds ids = client()) {
            given.take(ids, 100);
        }

        assertThat(given.highest()).isLessThan(5 * MAX_DISTANCE);
    }

    @Test
    void aClientFollowsNoNoteOfIt() throws SQLException {
        long right = used();
        DatabaseRows.execute(ODD, "UPDATE distributedid_record SET last_id = " + WRONG + NOTE);
        try (DistributedIds ids = client()) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("A record notes an id so far ahead of all counters that it may be wrong:"
                            + " table=sequence name=photos on jdbc:h2:mem:far_odd notes id=" + WRONG + " of the server"
                            + " with offset=2, counters id=")
                    .hasMessageContaining("Say the largest id in use: distributedid repair photos --above ID");
        }
        assertThat(counter()).as("the server is not raised").isEqualTo(right);

        try (DistributedIds ids = client()) {
            ids.repair("photos", right + 100);
            given.take(ids, 100);
        }
        assertThat(given.highest()).isLessThan(5 * MAX_DISTANCE);
    }

    @Test
    void aRepairFollowsNoNoteOfItUnlessItsIdsAreInUse() throws SQLException {
        long right = used();
        DatabaseRows.execute(ODD, "UPDATE distributedid_record SET last_id = " + WRONG + NOTE);
        try (DistributedIds ids = client()) {
            for (long above : new long[] {0, 1}) {
                assertThatThrownBy(() -> ids.repair("photos", above))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageMatching("A record notes an id so far ahead of all counters that it may be wrong:"
                                + " table=sequence name=photos on jdbc:h2:mem:far_odd notes id=" + WRONG
                                + " of the server"
                                + " with offset=2, counters id=\\d+\\. Say the largest id in use: distributedid repair"
                                + " photos --above ID, allowed: \\d+ or more");
            }

            assertThat(ids.repair("photos", right + 100).lastIds().values())
                    .allSatisfy(last -> assertThat(last).isBetween(right, 5 * MAX_DISTANCE));
            assertThat(DatabaseRows.number(ODD, "SELECT last_id FROM distributedid_record" + NOTE))
                    .isZero();
            given.take(ids, 100);
        }
        assertThat(given.highest()).isLessThan(5 * MAX_DISTANCE);
    }

    @Test
    void aRepairFollowsANoteWhoseIdsAreInUse() throws SQLException {
        used();
        DatabaseRows.execute(ODD, "UPDATE distributedid_record SET last_id = " + WRONG + NOTE);
        try (DistributedIds ids = client()) {
            assertThat(ids.repair("photos", WRONG).lastIds().values())
                    .allSatisfy(last -> assertThat(last).isGreaterThan(WRONG));
        }
    }
}

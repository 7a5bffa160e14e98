package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
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

    /** With the increment and the offset of this server, as the page says. */
    private static final String BACK = "UPDATE sequence SET id = (SELECT number - MOD(number - 2, 2) FROM distributedid"
            + " WHERE name = 'sequence/photos') WHERE name = 'photos'";

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
    void nobodyFollowsItWhileAReplicaTakesTheOthersPlace() throws SQLException {
        long right = used();
        set(WRONG);
        DatabaseRows.execute(
                ODD, "UPDATE distributedid SET text = REPLACE(text, 'PUBLIC', 'BEFORE') WHERE name LIKE '%/photos'");
        try (DistributedIds ids = client()) {
            RuntimeException unused = given.tryToTake(ids, 100);
        }
        try (DistributedIds ids = client()) {
            assertThat(ids.admin().check("photos"))
                    .extracting(CheckResult::detail)
                    .anyMatch(each -> each.startsWith("A counter is so far ahead of all known ids that it must be"
                            + " wrong: table=sequence name=photos on jdbc:h2:mem:far_even id=" + WRONG));
        }

        DatabaseRows.execute(EVEN, BACK);
        assertThat(counter()).isEqualTo(right);
        try (DistributedIds ids = client()) {
            given.take(ids, 100);
        }

        assertThat(given.highest()).isLessThan(8 * MAX_DISTANCE);
    }

    /** The ledger holds a number of the other server. */
    @Test
    void itIsSetBackAfterARaise() throws SQLException {
        used();
        try (DistributedIds ids = client()) {
            ids.admin().raise("photos", 2 * MAX_DISTANCE + 1);
        }
        assertThat(DatabaseRows.number(EVEN, "SELECT MOD(number, 2) FROM distributedid WHERE name = 'sequence/photos'"))
                .isEqualTo(1);
        set(WRONG);

        DatabaseRows.execute(EVEN, BACK);

        try (DistributedIds ids = client()) {
            assertThat(ids.admin().check("photos"))
                    .extracting(CheckResult::status)
                    .doesNotContain(CheckResult.Status.FAILED);
            given.take(ids, 100);
        }
        assertThat(counter()).isGreaterThan(2 * MAX_DISTANCE).isLessThan(3 * MAX_DISTANCE);
    }

    @Test
    void aRepairFollowsItIfItsIdsAreInUse() throws SQLException {
        used();
        set(WRONG);
        try (DistributedIds ids = client()) {
            assertThat(ids.admin().repair("photos", WRONG)).isGreaterThanOrEqualTo(WRONG);
            given.take(ids, 100);
        }
    }
}

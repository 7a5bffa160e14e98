package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.SwitchingDataSource;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server is back after the other has gone on without it, and no process is left that knew it. */
class ReturnedServerTest {

    private static final String ODD = "jdbc:h2:mem:returned_odd;DB_CLOSE_DELAY=-1";

    private static final String EVEN = "jdbc:h2:mem:returned_even;DB_CLOSE_DELAY=-1";

    private static final long MAX_DISTANCE = 1_000_000;

    private final SwitchingDataSource even = new SwitchingDataSource(EVEN);

    private DistributedIds client() {
        return GivenIds.sequenceTable(
                List.of(new SwitchingDataSource(ODD), even),
                "block.min",
                10_000,
                "block.max",
                10_000,
                "max_distance",
                MAX_DISTANCE);
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("returned_odd", "returned_even");
    }

    @Test
    void itIsRaisedByANewProcessHoweverLongItWasAway() throws SQLException {
        GivenIds given = new GivenIds();
        try (DistributedIds ids = client()) {
            given.take(ids, 20_001);
        }
        even.cut();
        long last = 0;
        try (DistributedIds ids = client()) {
            while (last < 3 * MAX_DISTANCE / 2) {
                last = ids.next("photos");
            }
        }
        even.to(EVEN);
        assertThatACheckGivesNoAdvice();
        try (DistributedIds ids = client()) {
            given.take(ids, 20_001);
        }

        assertThat(DatabaseRows.number(EVEN, "SELECT id FROM sequence")).isGreaterThan(last);
        given.assertNoneTwice();
    }

    /** The next process raises the server by itself. */
    private void assertThatACheckGivesNoAdvice() {
        try (DistributedIds ids = client()) {
            List<CheckResult> results = ids.admin().check("photos");
            assertThat(results)
                    .filteredOn(result -> result.what().equals("distance"))
                    .singleElement()
                    .satisfies(result -> {
                        assertThat(result.status()).isEqualTo(CheckResult.Status.OK);
                        assertThat(result.detail())
                                .startsWith("distance=")
                                .endsWith(", beyond distributedid.max_distance=" + MAX_DISTANCE);
                    });
            assertThat(results)
                    .filteredOn(result -> result.status() == CheckResult.Status.FAILED)
                    .isEmpty();
            assertThat(results)
                    .filteredOn(result -> result.what().equals("counter"))
                    .extracting(CheckResult::detail)
                    .anyMatch(detail -> detail.startsWith("The next client finds: ")
                            && detail.contains(" was more than " + MAX_DISTANCE + " behind the others; it was raised"));
        }
    }
}

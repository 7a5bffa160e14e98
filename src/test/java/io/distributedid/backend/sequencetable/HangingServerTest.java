package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.CountedTrips;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One of two servers hangs. */
class HangingServerTest {

    private static final String ODD = "jdbc:h2:mem:hanging_odd;DB_CLOSE_DELAY=-1";

    private static final String EVEN = "jdbc:h2:mem:hanging_even;DB_CLOSE_DELAY=-1";

    private final CountDownLatch answers = new CountDownLatch(1);

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("hanging_odd", "hanging_even");
    }

    private void hang() throws SQLException {
        try {
            answers.await();
        } catch (InterruptedException e) {
            throw new SQLException(e);
        }
    }

    /** It needs no other caller, and does not wait for the timeout of a minute. */
    @Test
    @Timeout(50)
    void aLoneCallerPassesIt() {
        CountedTrips odd = new CountedTrips(ODD);
        try (DistributedIds ids =
                GivenIds.sequenceTable(List.of(odd, EVEN), "block.min", 1, "block.max", 1, "block.timeout", "1m")) {
            ids.next("photos");
            ids.next("photos");
            odd.before(trip -> hang());

            for (int i = 0; i < 6; i++) {
                ids.next("photos");
            }
            assertThat(ids.next("photos")).isEven();
            answers.countDown();
        }
    }
}

package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Ids are paid for by time. */
class QuotaTest {

    private final AtomicLong clock =
            new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(2).toNanos());

    private final Quota quota = new Quota("web", 100, clock::get);

    private void charge(long ids) {
        quota.settle(0, ids);
    }

    private void assertUsedUp() {
        assertThatThrownBy(() -> quota.reserve(1))
                .isInstanceOf(Problem.class)
                .hasMessage("The quota of the token is used up: token=web, allowed: 100 ids a second. Retry later");
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    @Test
    void oneSecondIsSaved() {
        charge(100);
        assertThat(quota.debt()).isEqualTo(Duration.ZERO);

        charge(1);
        assertThat(quota.debt()).isEqualTo(Duration.ofMillis(10));
    }

    @Test
    void moreThanASecondIsNotSaved() {
        pass(Duration.ofHours(1));
        charge(150);

        assertThat(quota.debt()).isEqualTo(Duration.ofMillis(500));
    }

    /** The clock of this test overflows on the way, as nanoTime may. */
    @Test
    void aDebtIsPaidByTime() {
        charge(500);
        assertThat(quota.debt()).isEqualTo(Duration.ofSeconds(4));

        pass(Duration.ofMillis(3999));
        assertThat(quota.debt()).isEqualTo(Duration.ofMillis(1));

        pass(Duration.ofMillis(1));
        assertThat(quota.debt()).isEqualTo(Duration.ZERO);
    }

    @Test
    void requestsAtTheSameTimeShareTheQuota() {
        quota.reserve(60);
        // One may fall into debt.
        quota.reserve(60);
        assertUsedUp();
        assertThat(quota.debt()).as("what is reserved counts").isEqualTo(Duration.ofMillis(200));

        quota.settle(60, 60);
        assertUsedUp();
        quota.settle(60, 10);
        assertThat(quota.debt()).isEqualTo(Duration.ofMillis(-300));
        quota.reserve(1);
    }

    @Test
    void whatIsOnlyReservedIsNotWaitedFor() {
        charge(300);
        pass(Duration.ofSeconds(2));
        quota.reserve(1_000_000);
        assertThatThrownBy(() -> quota.reserve(1))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem -> assertThat(problem.retrySeconds()).isEqualTo(1));

        quota.settle(1_000_000, 500);
        assertThatThrownBy(() -> quota.reserve(1))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem -> assertThat(problem.retrySeconds()).isEqualTo(5));
    }

    @Test
    void whatWasNotGivenCostsNothing() {
        quota.reserve(1_000_000);
        pass(Duration.ofHours(1));
        quota.settle(1_000_000, 0);

        assertThat(quota.debt()).isEqualTo(Duration.ofSeconds(-1));
    }
}

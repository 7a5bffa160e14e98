package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Ids are paid for by time. */
class QuotaTest {

    private final AtomicLong clock =
            new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(2).toNanos());

    private final Quota quota = new Quota(100, clock::get);

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    @Test
    void oneSecondIsSaved() {
        quota.charge(100);
        assertThat(quota.debt()).isEqualTo(Duration.ZERO);

        quota.charge(1);
        assertThat(quota.debt()).isEqualTo(Duration.ofMillis(10));
    }

    @Test
    void moreThanASecondIsNotSaved() {
        pass(Duration.ofHours(1));
        quota.charge(150);

        assertThat(quota.debt()).isEqualTo(Duration.ofMillis(500));
    }

    /** The clock of this test overflows on the way, as nanoTime may. */
    @Test
    void aDebtIsPaidByTime() {
        quota.charge(500);
        assertThat(quota.debt()).isEqualTo(Duration.ofSeconds(4));

        pass(Duration.ofMillis(3999));
        assertThat(quota.debt()).isEqualTo(Duration.ofMillis(1));

        pass(Duration.ofMillis(1));
        assertThat(quota.debt()).isEqualTo(Duration.ZERO);
    }
}

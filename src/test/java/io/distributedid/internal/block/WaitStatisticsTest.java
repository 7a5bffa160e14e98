package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WaitStatisticsTest {

    private final AtomicLong nanos = new AtomicLong(1_000);

    private final List<Duration> heard = new ArrayList<>();

    private final WaitStatistics waits = new WaitStatistics("photos", nanos::get, heard::add);

    @Test
    void aCallThatDoesNotWaitIsNotCounted() {
        WaitStatistics.Wait wait = waits.ofCall();
        assertThat(wait.hasBegun()).isFalse();
        wait.end();

        assertThat(waits.count()).isZero();
        assertThat(heard).isEmpty();
    }

    @Test
    void aWaitIsCountedAtItsBeginningAndTimedAtItsEnd() {
        wait(40);
        WaitStatistics.Wait second = waits.ofCall();
        second.begin();
        assertThat(second.hasBegun()).isTrue();
        assertThat(waits.count()).isEqualTo(2);
        assertThat(waits.time()).isEqualTo(Duration.ofNanos(40));
        nanos.addAndGet(7);
        second.end();

        assertThat(waits.time()).isEqualTo(Duration.ofNanos(47));
        assertThat(heard).containsExactly(Duration.ofNanos(40), Duration.ofNanos(7));
    }

    private void wait(int time) {
        WaitStatistics.Wait wait = waits.ofCall();
        wait.begin();
        nanos.addAndGet(time);
        wait.end();
    }
}

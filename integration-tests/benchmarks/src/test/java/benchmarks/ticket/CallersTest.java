package benchmarks.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CallersTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void aFastMachineEndsATurnBeforeItsTime() throws Exception {
        AtomicLong ids = new AtomicLong();

        Callers.Taken taken = Callers.take(List.of(ids::getAndIncrement), LONG, LONG);

        assertThat(taken.ids().size()).isEqualTo(ids.get()).isBetween(2L * Callers.MOST, 4L * Callers.MOST);
        assertThat(taken.rate().wall()).isPositive();
        assertThat(taken.rate().cpu()).isPositive();
    }
}

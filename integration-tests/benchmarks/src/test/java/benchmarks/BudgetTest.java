package benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BudgetTest {

    private final AtomicLong nanos = new AtomicLong(5);

    private final Budget budget = new Budget(Duration.ofNanos(100), 2, 4, nanos::get);

    @Test
    void thereAreAsManyRoundsAsWanted() {
        for (int round = 0; round < 4; round++) {
            assertThat(budget.begins()).isTrue();
        }
        assertThat(budget.begins()).isFalse();
    }

    @Test
    void noRoundBeginsAfterTheTime() {
        assertThat(budget.begins()).isTrue();
        assertThat(budget.begins()).isTrue();
        nanos.addAndGet(99);
        assertThat(budget.begins()).isTrue();
        nanos.addAndGet(1);
        assertThat(budget.begins()).isFalse();
    }

    @Test
    void theLeastRoundsBeginWhateverTheTime() {
        nanos.addAndGet(1_000);

        assertThat(budget.begins()).isTrue();
        assertThat(budget.begins()).isTrue();
        assertThat(budget.begins()).isFalse();
    }
}

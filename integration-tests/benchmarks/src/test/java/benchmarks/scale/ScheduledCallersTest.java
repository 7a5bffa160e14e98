package benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class ScheduledCallersTest {

    /** Ten sequences, one call a millisecond: a tenth of a second that does not count, a fifth that does. */
    private static final Schedule SCHEDULE = Schedule.of(10, 1_000, Duration.ofMillis(100), Duration.ofMillis(200));

    private static final long LIMIT = 1_000_000;

    private final AtomicLong now = new AtomicLong(5);

    private final List<AtomicLong> counters = new ArrayList<>();

    private final List<LongSupplier> sequences = new ArrayList<>();

    ScheduledCallersTest() {
        for (int i = 0; i < 10; i++) {
            AtomicLong counter = new AtomicLong();
            counters.add(counter);
            sequences.add(counter::incrementAndGet);
        }
    }

    @Test
    void eachSequenceIsCalledInItsTurn() throws Exception {
        ScheduledCallers.Outcome outcome = run();

        assertThat(outcome.calls()).isEqualTo(200);
        assertThat(outcome.late()).isZero();
        assertThat(counters).allSatisfy(counter -> assertThat(counter).hasValue(30));
    }

    @Test
    void aCallThatWaitsDelaysThoseAfterIt() throws Exception {
        AtomicLong calls = new AtomicLong();
        sequences.set(3, () -> {
            long number = calls.incrementAndGet();
            if (number == 20) {
                park(Duration.ofMillis(30));
            }
            return number;
        });

        ScheduledCallers.Outcome outcome = run();

        // The next ones are due a millisecond apart; the last two of the thirty take one at most.
        assertThat(outcome.waited()).isEqualTo(29);
        assertThat(outcome.late()).isEqualTo(29);
        assertThat(outcome.longest()[0]).isEqualTo(30);
    }

    @Test
    void callsThatWereNeverMadeAreLate() throws Exception {
        sequences.set(3, () -> {
            park(Duration.ofMillis(400));
            return counters.get(3).incrementAndGet();
        });

        ScheduledCallers.Outcome outcome = run();

        assertThat(counters.get(3)).hasValue(1);
        assertThat(outcome.calls()).isEqualTo(200);
        assertThat(outcome.late()).isEqualTo(200);
        assertThat(outcome.waited()).isEqualTo(200);
    }

    @Test
    void aBusyProcessorIsNoWait() throws Exception {
        sequences.set(3, () -> {
            now.addAndGet(2 * LIMIT);
            return counters.get(3).incrementAndGet();
        });

        ScheduledCallers.Outcome outcome = run();

        assertThat(outcome.late()).isEqualTo(20);
        assertThat(outcome.waited()).isZero();
    }

    @Test
    void aCallThatFailsIsLate() throws Exception {
        sequences.set(3, () -> {
            throw new IllegalStateException("No server answers");
        });

        ScheduledCallers.Outcome outcome = run();

        assertThat(outcome.failed()).isEqualTo(20);
        assertThat(outcome.late()).isEqualTo(20);
        assertThat(outcome.waited()).isEqualTo(20);
    }

    @Test
    void anIdThatComesTwiceEndsTheRun() {
        sequences.set(3, () -> 7);

        assertThatThrownBy(() -> run()).hasMessageContaining("An id came twice: sequence=3 id=7");
    }

    private ScheduledCallers.Outcome run() throws Exception {
        LongConsumer sleepUntil = due -> now.accumulateAndGet(due, Math::max);
        return new ScheduledCallers(sequences, SCHEDULE, LIMIT, now::get, sleepUntil).run(1);
    }

    /** Parks for a moment, which the JVM counts, as if it were for that long. */
    private void park(Duration time) {
        LockSupport.parkNanos(1);
        now.addAndGet(time.toNanos());
    }
}

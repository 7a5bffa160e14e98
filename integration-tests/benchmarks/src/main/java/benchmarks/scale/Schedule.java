package benchmarks.scale;

import java.time.Duration;

/**
 * When calls are due: each sequence is called so many times a second, the sequences one after another, a few calls at
 * the beginning of each millisecond.
 *
 * @param sequences that are called in turn
 * @param perMilli calls in each millisecond, over all sequences
 * @param warmUp before calls count
 * @param time in which calls count
 */
record Schedule(int sequences, int perMilli, Duration warmUp, Duration time) {

    /** Calls of all sequences together. */
    static Schedule of(int sequences, int perSecond, Duration warmUp, Duration time) {
        return new Schedule(sequences, perSecond / 1000, warmUp, time);
    }

    /** Milliseconds from the first call to the end. */
    int millis() {
        return Math.toIntExact(warmUp.plus(time).toMillis());
    }

    int seconds() {
        return (millis() + 999) / 1000;
    }

    /** Whether calls of this millisecond count. */
    boolean counts(long milli) {
        return milli >= warmUp.toMillis();
    }

    /** Which sequence is called by the call of this number. */
    int sequence(long call) {
        return (int) (call % sequences);
    }

    /** Calls of one sequence, at most. */
    int callsOfOne() {
        return Math.toIntExact((long) millis() * perMilli / sequences + 1);
    }
}

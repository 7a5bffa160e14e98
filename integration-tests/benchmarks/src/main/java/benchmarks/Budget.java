package benchmarks;

import java.time.Duration;
import java.util.function.LongSupplier;

/** The time that rounds may take: there are as many as wanted, or fewer if the time is over. */
public final class Budget {

    private final LongSupplier nanos;

    private final long begin;

    private final long time;

    private final int least;

    private final int most;

    private int rounds;

    /**
     * Begins now.
     *
     * @param time after which no round begins
     * @param least rounds that there are in any case
     * @param most rounds that are wanted
     */
    public Budget(Duration time, int least, int most) {
        this(time, least, most, System::nanoTime);
    }

    Budget(Duration time, int least, int most, LongSupplier nanos) {
        this.nanos = nanos;
        this.time = time.toNanos();
        this.least = least;
        this.most = most;
        begin = nanos.getAsLong();
    }

    /** Whether there is another round, which is counted then. */
    public boolean begins() {
        boolean isLeft = nanos.getAsLong() - begin < time;
        boolean begins = rounds < least || isLeft && rounds < most;
        if (begins) {
            rounds++;
        }
        return begins;
    }
}

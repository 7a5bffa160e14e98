package io.distributedid.internal.block;

import io.distributedid.internal.event.Events;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The calls of a sequence that had to wait. Thread-safe. */
public final class Waits {

    private final String sequence;

    private final LongSupplier nanoTime;

    private final AtomicLong count = new AtomicLong();

    private final AtomicLong nanos = new AtomicLong();

    /**
     * None yet.
     *
     * @param sequence its name
     * @param nanoTime never jumps
     */
    public Waits(String sequence, LongSupplier nanoTime) {
        this.sequence = sequence;
        this.nanoTime = nanoTime;
    }

    /**
     * A call begins to wait: to be called once for each.
     *
     * @return to be run when it waits no more
     */
    public Runnable begin() {
        count.incrementAndGet();
        long began = nanoTime.getAsLong();
        Runnable event = Events.wait(sequence);
        return () -> {
            nanos.addAndGet(nanoTime.getAsLong() - began);
            event.run();
        };
    }

    /**
     * How many waited, or still do.
     *
     * @return the number of calls
     */
    public long count() {
        return count.get();
    }

    /**
     * How long those waited that wait no more.
     *
     * @return all together
     */
    public Duration time() {
        return Duration.ofNanos(nanos.get());
    }
}

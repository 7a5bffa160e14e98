package io.distributedid.internal.block;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** Counts and times the calls of a sequence that had to wait. Thread-safe. */
public final class WaitStatistics {

    private final String sequence;

    private final LongSupplier nanoTime;

    private final AtomicLong count = new AtomicLong();

    private final AtomicLong nanos = new AtomicLong();

    @Name("io.distributedid.Wait")
    @Label("Wait")
    @Category("Distributed Ids")
    @Description("A caller waited for an id")
    @Threshold("1 ms")
    @SuppressWarnings("UnusedVariable") // The flight recorder reads them.
    private static final class WaitEvent extends Event {

        @Label("Sequence")
        @Nullable
        String seq;
    }

    /** @param nanoTime a monotonic clock */
    public WaitStatistics(String sequence, LongSupplier nanoTime) {
        this.sequence = sequence;
        this.nanoTime = nanoTime;
    }

    /** Begins a wait. The caller runs the returned action at the end of the wait. */
    public Runnable begin() {
        count.incrementAndGet();
        long began = nanoTime.getAsLong();
        WaitEvent event = new WaitEvent();
        event.begin();
        return () -> {
            nanos.addAndGet(nanoTime.getAsLong() - began);
            event.end();
            if (event.shouldCommit()) {
                event.seq = sequence;
                event.commit();
            }
        };
    }

    /** The number of waits, including those that go on. */
    public long count() {
        return count.get();
    }

    /** The total time of the waits that have ended. */
    public Duration time() {
        return Duration.ofNanos(nanos.get());
    }
}

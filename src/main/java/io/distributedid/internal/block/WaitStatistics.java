package io.distributedid.internal.block;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
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

    private final Consumer<Duration> listener;

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

    /** The wait of one call, if it waits at all. Used by one thread. */
    public final class Wait {

        private @Nullable WaitEvent event;

        private long began;

        private Wait() {}

        public boolean hasBegun() {
            return event != null;
        }

        public void begin() {
            count.incrementAndGet();
            WaitEvent started = new WaitEvent();
            started.begin();
            event = started;
            began = nanoTime.getAsLong();
        }

        /** Ends the wait, if it has begun. Calls the listener, so the caller must hold no lock. */
        public void end() {
            WaitEvent begun = event;
            if (begun == null) {
                return;
            }
            long waited = nanoTime.getAsLong() - began;
            nanos.addAndGet(waited);
            begun.end();
            if (begun.shouldCommit()) {
                begun.seq = sequence;
                begun.commit();
            }
            listener.accept(Duration.ofNanos(waited));
        }
    }

    /**
     * @param nanoTime a monotonic clock
     * @param listener called at the end of each wait
     */
    public WaitStatistics(String sequence, LongSupplier nanoTime, Consumer<Duration> listener) {
        this.sequence = sequence;
        this.nanoTime = nanoTime;
        this.listener = listener;
    }

    /** For a call that has not waited yet. */
    public Wait ofCall() {
        return new Wait();
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

package io.distributedid.internal.block;

import io.distributedid.IdsExhaustedException;
import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.ReservedBlock;
import io.distributedid.spi.Sequence;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.LongSupplier;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Reserves blocks, cut to the range of the sequence's type, and gives unused ids back. May block. */
final class BlockFetcher {

    private static final Logger LOG = System.getLogger(BlockFetcher.class.getName());

    private final Sequence sequence;

    private final BlockSource source;

    private final BlockPolicy policy;

    private final Scheduler scheduler;

    /** Null if the source reserves alone. */
    private final @Nullable BlockQueue queue;

    private final LongSupplier nanoTime;

    /** The last request in the queue. Guarded by the buffer's lock, but for its answer. */
    private volatile @Nullable BlockRequest queued;

    @Name("io.distributedid.Fetch")
    @Label("Fetch")
    @Category("Distributed Ids")
    @Description("A block of ids was asked for")
    @StackTrace(false)
    @SuppressWarnings("UnusedVariable") // The flight recorder reads them.
    private static final class FetchEvent extends Event {

        @Label("Sequence")
        @Nullable
        String seq;

        @Label("Server")
        @Description("The server that gave the block, or failed last")
        @Nullable
        String server;

        @Label("Wanted")
        @Description("How many ids")
        long wanted;

        @Label("Got")
        @Description("How many ids")
        long got;

        @Label("Error")
        @Nullable
        String error;
    }

    BlockFetcher(
            Sequence sequence,
            BlockSource source,
            BlockPolicy policy,
            Scheduler scheduler,
            @Nullable BlockQueue queue,
            LongSupplier nanoTime) {
        this.sequence = sequence;
        this.source = source;
        this.policy = policy;
        this.scheduler = scheduler;
        this.queue = queue;
        this.nanoTime = nanoTime;
    }

    BlockSource source() {
        return source;
    }

    /** Gets the reserved ids or the failure; the other one is null. Called without a lock of this package. */
    @FunctionalInterface
    interface Result {

        void of(@Nullable ReservedIds ids, @Nullable Throwable failure);
    }

    /**
     * Starts to reserve up to {@code size} ids, if its group allows together with other sequences, after up to
     * {@code mayWait} nanoseconds. Throws if no thread can be started.
     */
    void start(long size, long mayWait, Result result) {
        if (queue == null) {
            scheduler.execute(() -> fetch(size, result));
        } else {
            enqueue(queue, size, mayWait, result);
        }
    }

    /** The same at once after a failure, on a thread that may block. */
    void retry(long size, Result result) {
        if (queue == null) {
            fetch(size, result);
        } else {
            enqueue(queue, size, 0, result);
        }
    }

    private void enqueue(BlockQueue to, long size, long mayWait, Result result) {
        Fetch fetch = new Fetch(size, nanoTime.getAsLong());
        BlockRequest request = new BlockRequest((GroupedSource) source, size, (answered, block, failure) -> {
            queued = null;
            ReservedBlock reserved = block == null ? null : new ReservedBlock(block, Duration.ZERO);
            fetch.end(reserved, failure, answered.sentAt(), result);
        });
        queued = request;
        to.add(request, mayWait);
    }

    /** A caller waits for the fetch that runs. */
    void hurry() {
        BlockRequest request = queued;
        if (queue != null && request != null) {
            queue.hurry(request);
        }
    }

    /** Takes the fetch back that was started, and returns true, if it has not begun. */
    boolean cancel() {
        BlockRequest request = queued;
        return queue != null && request != null && queue.cancel(request);
    }

    private void fetch(long size, Result result) {
        Fetch fetch = new Fetch(size, nanoTime.getAsLong());
        ReservedBlock block = null;
        Throwable failure = null;
        try {
            block = source.reserveAged(size);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = e;
        } catch (SQLException | RuntimeException | Error e) {
            failure = e;
        }
        fetch.end(block, failure, fetch.requested, result);
    }

    private final class Fetch {

        private final FetchEvent event = new FetchEvent();

        private final long size;

        private final long requested;

        Fetch(long size, long requested) {
            this.size = size;
            this.requested = requested;
            event.begin();
        }

        /** The age of the ids counts from before the request to the server, or from earlier if the source says so. */
        void end(@Nullable ReservedBlock block, @Nullable Throwable failure, long sent, Result result) {
            ReservedIds ids = null;
            Throwable reason = failure;
            if (block != null) {
                try {
                    long byAge = nanoTime.getAsLong() - block.age().toNanos();
                    long reserved = byAge - sent < 0 ? byAge : sent;
                    ids = new ReservedIds(withinType(block.block()), sent, reserved, policy);
                } catch (RuntimeException e) {
                    reason = e;
                }
            }
            record(event, size, ids == null ? 0 : ids.count(), reason);
            result.of(ids, reason);
        }
    }

    private void record(FetchEvent event, long wanted, long got, @Nullable Throwable failure) {
        event.end();
        if (event.shouldCommit()) {
            event.seq = sequence.name();
            event.server = source.server();
            event.wanted = wanted;
            event.got = got;
            event.error = failure == null ? null : failure.toString();
            event.commit();
        }
    }

    private Block withinType(Block block) {
        long max = sequence.maxValue();
        if (block.first() > max) {
            throw new IdsExhaustedException("The next id does not fit its type: " + sequence + " id=" + block.first()
                    + ", allowed: up to " + max + ". Map the property to a wider type");
        }
        return block.last() <= max
                ? block
                : new Block(block.first(), block.step(), (max - block.first()) / block.step() + 1);
    }

    /** Gives unused ids back if the source can do so safely. No caller can take them any more. */
    void giveBack(Block rest) {
        boolean given = false;
        try {
            given = source.giveBack(rest);
        } catch (SQLException | RuntimeException e) {
            LOG.log(Level.DEBUG, "Unused ids could not be given back: " + sequence, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String fate = given ? "given back" : "a gap";
        LOG.log(Level.DEBUG, "Closed with {0} unused ids, {1}: {2}", rest.count(), fate, sequence);
    }
}

package io.distributedid.internal.block;

import io.distributedid.IdsExhaustedException;
import io.distributedid.SequenceListener;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.ReservedBlock;
import io.distributedid.spi.Sequence;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The next block of a {@link BlockBuffer}, which sends the requests: whether one is under way, what came of it, and the
 * block until it is taken. A fetch ends with a block, cut to the range of the sequence's type, or with a refusal. After
 * any other failure the buffer is told to ask again, with back-off. Guarded by the buffer's lock.
 */
final class NextBlock {

    private final Sequence sequence;

    private final BlockSource source;

    private final BlockPolicy policy;

    private final Callers callers;

    private final FetchHistory history;

    private final Scheduler scheduler;

    private final Platform platform;

    private final SequenceListener listener;

    private final LongConsumer ask;

    /** Null if none has arrived. */
    private @Nullable ReservedIds next;

    /** Whether a fetch is under way: a request, or the pause before one. */
    private boolean fetching;

    /** Null if none is without an answer. */
    private @Nullable BlockRequest request;

    /** A request from before the last {@link #discard}: its block is dropped. */
    private @Nullable BlockRequest unwanted;

    /** The start of the first fetch after the last success. After a failure it is the start of the outage. */
    private long since;

    private boolean stopped;

    /**
     * @param listener of fetches; called without the lock
     * @param ask sends a request for so many ids; called with the lock
     */
    NextBlock(
            Sequence sequence,
            BlockSource source,
            BlockPolicy policy,
            Callers callers,
            FetchHistory history,
            Scheduler scheduler,
            Platform platform,
            SequenceListener listener,
            LongConsumer ask) {
        this.sequence = sequence;
        this.source = source;
        this.policy = policy;
        this.callers = callers;
        this.history = history;
        this.scheduler = scheduler;
        this.platform = platform;
        this.listener = listener;
        this.ask = ask;
    }

    /** Null if none has arrived. */
    @Nullable
    ReservedIds ids() {
        return next;
    }

    ReservedIds take() {
        ReservedIds taken = Objects.requireNonNull(next);
        next = null;
        return taken;
    }

    boolean isFetching() {
        return fetching;
    }

    boolean isStopped() {
        return stopped;
    }

    /** Whether a fetch may begin. */
    boolean mayBegin() {
        return !fetching && !stopped;
    }

    /** The one without an answer; null if there is none. */
    @Nullable
    BlockRequest request() {
        return request;
    }

    /** A request for up to so many ids, which is under way from now on. */
    BlockRequest begin(long size) {
        if (!history.isOutage()) {
            restartOutage();
        }
        FetchEvent event = FetchEvent.begun();
        BlockRequest begun =
                new BlockRequest(source, size, (answered, block, failure) -> answered(answered, block, failure, event));
        fetching = true;
        request = begun;
        callers.ask();
        return begun;
    }

    /** Runs on a thread of the scheduler, without the lock. */
    private void answered(
            BlockRequest answered, @Nullable ReservedBlock block, @Nullable Throwable failure, FetchEvent event) {
        ReservedIds ids = null;
        Throwable reason = failure;
        try {
            ids = block == null ? null : reserved(block, answered.sentAt());
        } catch (RuntimeException e) {
            reason = e;
        }
        Duration time = Duration.ofNanos(platform.nanoTime() - answered.sentAt());
        event.record(sequence, answered, ids, reason);
        callers.lock.lock();
        try {
            if (ids == null) {
                failed(answered.wanted(), Objects.requireNonNull(reason));
            } else {
                arrived(answered, ids, time);
            }
        } finally {
            callers.lock.unlock();
        }
        if (ids != null) {
            listener.fetched(sequence.name(), time);
        }
    }

    /** The age of the ids counts from before the request to the server, or from earlier if the source says so. */
    private ReservedIds reserved(ReservedBlock block, long sent) {
        long byAge = platform.nanoTime() - block.age().toNanos();
        return new ReservedIds(withinType(block.block()), byAge - sent < 0 ? byAge : sent, policy);
    }

    private Block withinType(Block block) {
        long max = sequence.maxValue();
        if (block.first() > max) {
            throw new IdsExhaustedException(
                    "The next id does not fit its type: " + sequence + " id=" + block.first() + ", allowed: up to "
                            + max + ". Map the property to a wider type" + Pages.onCall("counter-no-room"));
        }
        return block.last() <= max
                ? block
                : new Block(block.first(), block.step(), (max - block.first()) / block.step() + 1);
    }

    /**
     * The block may be from before the counter was raised, or from before this process was copied. In strict mode its
     * caller may have gone.
     */
    private void arrived(BlockRequest answered, ReservedIds ids, Duration time) {
        history.add(ids.count(), time);
        fetching = false;
        request = null;
        if (answered != unwanted && !stopped && mayBeTaken()) {
            drop();
            next = ids;
        } else {
            history.addDropped(ids.retire());
            if (!stopped && callers.isAnyWaiting()) {
                ask.accept(answered.wanted());
            }
        }
        callers.wake(stopped ? Long.MAX_VALUE : ids.count());
    }

    private boolean mayBeTaken() {
        return !policy.strict() || callers.isAnyEntitled();
    }

    /** A refusal is not repeated: all callers that wait get it, and a later caller starts a fetch. */
    void failed(long size, Throwable failure) {
        history.add(failure);
        request = null;
        fetching = !stopped && !FetchHistory.isFinal(failure) && retriesLater(size);
        callers.wakeAll();
    }

    private boolean retriesLater(long size) {
        try {
            scheduler.executeAfter(history.pause(), () -> retry(size));
            return true;
        } catch (RuntimeException | Error e) {
            // The next caller tries again.
            return false;
        }
    }

    private void retry(long size) {
        callers.lock.lock();
        try {
            if (!stopped) {
                ask.accept(size);
            }
        } finally {
            callers.lock.unlock();
        }
    }

    /**
     * How long there were no ids, as a caller sees it: since it came, or since an outage began.
     *
     * @param came when the caller came
     */
    long nanosWithout(long came, long now) {
        return now - (history.isOutage() && since - came < 0 ? since : came);
    }

    /** Callers wait for the full timeout again. */
    void restartOutage() {
        since = platform.nanoTime();
    }

    void drop() {
        if (next != null) {
            history.addDropped(next.retire());
            next = null;
        }
    }

    /** In strict mode, drops the block if all callers that it was for have gone. */
    void dropUnlessWanted() {
        if (!mayBeTaken()) {
            drop();
        }
    }

    /** Drops the next block, also one that is being fetched. */
    void discard() {
        unwanted = request;
        drop();
    }

    /** @param isSent whether a request was sent that has no answer yet */
    void stop(boolean isSent) {
        stopped = true;
        fetching = isSent;
        discard();
        callers.wakeAll();
    }
}

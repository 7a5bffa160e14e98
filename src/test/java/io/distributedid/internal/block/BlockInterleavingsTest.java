package io.distributedid.internal.block;

import io.distributedid.AnswersInOrder;
import io.distributedid.IdUnavailableException;
import io.distributedid.Interleavings;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.Block;
import io.distributedid.spi.ReservedBlock;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Callers, fetches, ages, a discard and a close of one buffer, in many interleavings. */
@Tag("slow")
@Tag("model")
@Tag("interleavings")
class BlockInterleavingsTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private static final Sequence PHOTOS = new Sequence("photos", Long.MAX_VALUE, "test", Settings.of(Map.of()));

    private static final BlockPolicy POLICY =
            new BlockPolicy(4, 4, Optional.of(Duration.ofSeconds(10)), Duration.ofHours(1));

    private static final BlockPolicy STRICT = new BlockPolicy(1, 1, Optional.empty(), Duration.ofHours(1));

    /** Ids 10, 15, 20, 25. Callers take them, and one retires the block. */
    public static final class OneBlock {

        private final ReservedIds ids = new ReservedIds(new Block(10, 5, 4), 0, POLICY);

        @Operation
        public long take() {
            long id = ids.take();
            return ids.holds(id) ? id : 0;
        }

        @Operation
        public String takeTwo() {
            return ids.take(2).map(Block::toString).orElse("none");
        }

        @Operation(runOnce = true)
        public long retire() {
            return ids.retire();
        }
    }

    /** The same, one call after another. */
    public static final class BlockInOrder {

        private long next = 10;

        public long take() {
            long id = next;
            next = Math.min(next + 5, 30);
            return id == 30 ? 0 : id;
        }

        public String takeTwo() {
            long count = Math.min(2, (30 - next) / 5);
            long first = next;
            next += 5 * count;
            return count == 0 ? "none" : new Block(first, 5, count).toString();
        }

        public long retire() {
            long left = (30 - next) / 5;
            next = 30;
            return left;
        }
    }

    @Test
    void anIdOfABlockIsTakenByOneCallerOrDropped() {
        Interleavings.check(OneBlock.class, BlockInOrder.class, 10);
    }

    /** A block that is retired in two steps. */
    public static final class TornBlock {

        private final AtomicLong next = new AtomicLong(10);

        @Operation
        public long take() {
            long id = next.getAndAdd(5);
            return id < 30 ? id : 0;
        }

        @Operation
        public String takeTwo() {
            return "none";
        }

        @Operation(runOnce = true)
        public long retire() {
            long first = next.get();
            next.set(30);
            return first >= 30 ? 0 : (30 - first) / 5;
        }
    }

    @Test
    void aBlockThatIsRetiredInTwoStepsIsFound() {
        Interleavings.assertFound(TornBlock.class, BlockInOrder.class);
    }

    /** Fetches wait in a queue until an operation runs one. */
    private static final class QueuedFetches implements Scheduler {

        private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();

        private volatile Runnable watch = () -> {};

        @Override
        public void execute(Runnable task) {
            queue.add(task);
        }

        @Override
        public void executeAfter(Duration delay, Runnable task) {
            queue.add(task);
        }

        @Override
        public void every(Duration period, Runnable task) {
            watch = task;
        }

        @Override
        public void end(Runnable task) {
            watch = () -> {};
        }
    }

    /** A buffer of blocks of four. A caller that finds none does not wait. */
    public static final class Buffer {

        private final AnswersInOrder answers = new AnswersInOrder();

        private final QueuedFetches fetches = new QueuedFetches();

        private final AtomicLong nanos = new AtomicLong();

        private final AtomicLong counter = new AtomicLong(1);

        private final BlockBuffer buffer = LoneBuffer.of(
                PHOTOS, wanted -> new Block(counter.getAndAdd(wanted), 1, wanted), POLICY, fetches, nanos::get);

        public Buffer() {
            this(true);
        }

        /** @param fetched whether the first block is there; else its fetch waits in the queue */
        Buffer(boolean fetched) {
            buffer.prefetch();
            if (fetched) {
                fetch();
            }
        }

        @Operation
        public void one() {
            long begun = answers.begin();
            long id = buffer.tryNext();
            if (id != 0) {
                answers.end(begun, id, 1);
            }
        }

        @Operation
        public void three() {
            long begun = answers.begin();
            Optional<ReservedBlock> taken = buffer.tryNextBlock(3);
            if (taken.isPresent()) {
                Block block = taken.get().block();
                answers.end(begun, block.first(), block.count());
            }
        }

        @Operation
        public void fetch() {
            runFetch();
        }

        private boolean runFetch() {
            Runnable task = fetches.queue.poll();
            if (task != null) {
                task.run();
            }
            return task != null;
        }

        @Operation
        public void age() {
            nanos.addAndGet(4 * SECOND);
            fetches.watch.run();
        }

        /** Another process has used ids up to 1,000 more. */
        @Operation(runOnce = true)
        public void raise() {
            long above = counter.addAndGet(1_000) - 1;
            buffer.discard();
            answers.raise(above);
        }

        @Operation(runOnce = true)
        public void close() {
            buffer.stop();
            while (runFetch()) {
                // Its block is dropped.
            }
        }

        @Validate
        public void allAreCounted() {
            long issued = buffer.statistics().issued();
            if (issued != answers.given()) {
                throw new AssertionError(issued + " ids are counted, and given were " + answers.given());
            }
        }
    }

    @Test
    void noIdIsGivenTwiceAndEachIsLargerThanThoseGivenBefore() {
        Interleavings.check(Buffer.class, 5);
    }

    /** A fetch, during which its ids become too small. */
    public static final class LateFetch {

        private final Buffer all = new Buffer(false);

        @Operation(runOnce = true)
        public void fetch() {
            all.fetch();
        }

        @Operation(runOnce = true)
        public void raise() {
            all.raise();
        }

        @Operation
        public void three() {
            all.three();
        }
    }

    @Test
    void noIdIsGivenThatWasFetchedBeforeADiscard() {
        Interleavings.check(LateFetch.class, 20);
    }

    /** Two callers wait for one id each, of blocks of one. Each fetch has a thread. */
    @Test
    void everyCallerThatWaitsIsWokenAndGetsAnIdOfItsOwn() {
        Interleavings.check(100, () -> {
            AnswersInOrder answers = new AnswersInOrder();
            BlockBuffer buffer = strict(new ThreadPerFetch());
            Thread first = caller(buffer, answers);
            Thread second = caller(buffer, answers);
            Interleavings.join(first);
            Interleavings.join(second);
            if (answers.given() != 2) {
                throw new AssertionError("Given were " + answers.given());
            }
        });
    }

    /** Another process takes an id, and then this one is asked for one: it is the larger one. */
    @Test
    void inStrictModeAnIdIsLargerThanAllThatWereGivenBeforeTheCall() {
        Interleavings.check(300, () -> {
            AtomicLong counter = new AtomicLong();
            BlockBuffer buffer = strict(new ThreadPerFetch(), counter);
            Thread first = new Thread(buffer::next);
            first.start();
            long elsewhere = counter.incrementAndGet();
            long here = buffer.next();
            Interleavings.join(first);
            if (here < elsewhere) {
                throw new AssertionError(here + " was given after " + elsewhere);
            }
        });
    }

    @Test
    void aCloseWakesWhoWaits() {
        Interleavings.check(100, () -> {
            AnswersInOrder answers = new AnswersInOrder();
            BlockBuffer buffer = strict(new ThreadPerFetch());
            Thread caller = caller(buffer, answers);
            buffer.close();
            Interleavings.join(caller);
        });
    }

    private static BlockBuffer strict(Scheduler scheduler) {
        return strict(scheduler, new AtomicLong());
    }

    private static BlockBuffer strict(Scheduler scheduler, AtomicLong counter) {
        return LoneBuffer.of(
                PHOTOS, wanted -> new Block(counter.addAndGet(wanted), 1, 1), STRICT, scheduler, new Still());
    }

    /** Its locks are made here, where Lincheck sees it: it does not follow those that an interface's method makes. */
    private static final class Still implements Platform {

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public ReentrantLock lock() {
            return new ReentrantLock();
        }
    }

    private static Thread caller(BlockBuffer buffer, AnswersInOrder answers) {
        Thread thread = new Thread(() -> {
            long begun = answers.begin();
            try {
                answers.end(begun, buffer.next(), 1);
            } catch (IdUnavailableException e) {
                // The buffer was closed.
            }
        });
        thread.start();
        return thread;
    }

    private static final class ThreadPerFetch implements Scheduler {

        @Override
        public void execute(Runnable task) {
            new Thread(task).start();
        }

        /** No fetch fails, and the end of a batch starts the next one. */
        @Override
        public void executeAfter(Duration delay, Runnable task) {}

        @Override
        public void every(Duration period, Runnable task) {}

        @Override
        public void end(Runnable task) {}
    }
}

package io.distributedid.backend.snowflake;

import io.distributedid.AnswersInOrder;
import io.distributedid.IdUnavailableException;
import io.distributedid.Interleavings;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.spi.Block;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Threads that take ids from one generator, while the clock, the window and the end come, in many interleavings. */
@Tag("slow")
@Tag("model")
@Tag("interleavings")
class SnowflakeInterleavingsTest {

    private static final Instant EPOCH = Instant.parse("2024-01-01T00:00:00Z");

    /** Ranges have up to four ids. */
    private static final IdLayout LAYOUT = LayoutParser.parse("time:41, worker:10, sequence:8", EPOCH);

    private static final long BEGIN = EPOCH.plusSeconds(86_400).toEpochMilli();

    /** A range of four ids in a slot that threads share. */
    public static final class OneRange {

        private final StripedRanges.Range range = new StripedRanges.Range(10, 14, 4, 0, 0);

        @Operation
        public long take() {
            return range.take();
        }

        @Operation
        public long takeLater() {
            return range.take(11, 20);
        }

        @Operation(runOnce = true)
        public long retire() {
            return range.retire();
        }
    }

    /** The same, one call after another. */
    public static final class RangeInOrder {

        private long next = 10;

        public long take() {
            return next < 14 ? next++ : -1;
        }

        public long takeLater() {
            return next < 11 ? -1 : take();
        }

        public long retire() {
            long taken = next - 10;
            next = 14;
            return taken;
        }
    }

    @Test
    void anIdOfARangeIsTakenOnceAndCountedOnce() {
        Interleavings.check(OneRange.class, RangeInOrder.class, 10);
    }

    /** A generator whose first id of a tick is the last but one of that tick, so that it borrows the next. */
    public static final class Generator {

        private final AnswersInOrder all = new AnswersInOrder();

        /** By thread, main thread included. */
        private final AnswersInOrder[] each = {
            new AnswersInOrder(), new AnswersInOrder(), new AnswersInOrder(), new AnswersInOrder()
        };

        private final AtomicLong millis = new AtomicLong(BEGIN);

        private final SettableWorker worker = new SettableWorker(new Worker.Window(5, BEGIN, BEGIN + 1_000));

        private volatile long unused = Long.MAX_VALUE;

        private final SnowflakeGenerator generator = new SnowflakeGenerator(
                Snowflakes.waits(),
                LAYOUT,
                worker,
                () -> Instant.ofEpochMilli(millis.get()),
                Duration.ofMillis(3),
                Duration.ZERO,
                bound -> bound - 2);

        @Operation
        public void one(@Param(gen = ThreadIdGen.class) int thread) {
            long begun = each[thread].begin();
            long id = generator.tryNext(0);
            if (id != 0) {
                give(thread, begun, id, 1);
            }
        }

        @Operation
        public void two(@Param(gen = ThreadIdGen.class) int thread) {
            if (unused != Long.MAX_VALUE) {
                return;
            }
            long begun = each[thread].begin();
            try {
                Block block = generator.nextBlock(0, 2);
                give(thread, begun, block.first(), block.count());
            } catch (IdUnavailableException e) {
                // It is closed.
            }
        }

        private void give(int thread, long begun, long first, long count) {
            each[thread].end(begun, first, count);
            all.end(0, first, count);
        }

        @Operation
        public void tick() {
            millis.incrementAndGet();
        }

        @Operation(runOnce = true)
        public void anotherNumber() {
            worker.set(new Worker.Window(9, millis.get() + 1, BEGIN + 2_000));
        }

        @Operation(runOnce = true)
        public void close() {
            unused = generator.close();
        }

        /** The successor of a closed generator begins at the unused time. */
        @Validate
        public void allAreCountedAndNoneIsUnused() {
            long last = LAYOUT.time().instant(all.begin()).toEpochMilli();
            if (last >= unused) {
                throw new AssertionError("The generator gave " + last + ", and left " + unused + " to its successor");
            }
            long issued = generator.statistics().issued();
            if (issued != all.given()) {
                throw new AssertionError(issued + " ids are counted, and given were " + all.given());
            }
        }
    }

    @Test
    void noIdIsGivenTwiceAndThoseOfAThreadAscend() {
        Interleavings.check(Generator.class, 10);
    }

    /** A generator that is raised while threads have ranges of it. */
    public static final class RaisedGenerator {

        private final AnswersInOrder[] each = {
            new AnswersInOrder(), new AnswersInOrder(), new AnswersInOrder(), new AnswersInOrder()
        };

        private final SnowflakeGenerator generator = new SnowflakeGenerator(
                Snowflakes.waits(),
                LAYOUT,
                new SettableWorker(new Worker.Window(5, BEGIN, BEGIN + 1_000)),
                () -> Instant.ofEpochMilli(BEGIN),
                Duration.ofMillis(3),
                Duration.ZERO,
                bound -> 0);

        @Operation
        public void one(@Param(gen = ThreadIdGen.class) int thread) {
            long begun = each[thread].begin();
            each[thread].end(begun, generator.tryNext(0), 1);
        }

        /** Calls that begin when it has returned get ids above the tick. */
        @Operation(runOnce = true)
        public void raise() {
            long tick = LAYOUT.tick(BEGIN);
            generator.startAbove(tick);
            for (AnswersInOrder answers : each) {
                answers.raise(LAYOUT.compose(tick + 1, 0, 0) - 1);
            }
        }
    }

    @Test
    void callsAfterARaiseGetIdsAboveIt() {
        Interleavings.check(RaisedGenerator.class, 10);
    }

    /** Threads that share a slot take ids as a generator does: from the range in the slot, else they reserve one. */
    public static final class OneSlot {

        private static final int SLOT = 0;

        private final AnswersInOrder all = new AnswersInOrder();

        private final AnswersInOrder[] each = {
            new AnswersInOrder(), new AnswersInOrder(), new AnswersInOrder(), new AnswersInOrder()
        };

        private final AtomicLong last = new AtomicLong(1);

        private final StripedRanges ranges = new StripedRanges(1 << 18);

        @Operation
        public void one(@Param(gen = ThreadIdGen.class) int thread) {
            long begun = each[thread].begin();
            long id = ranges.get(SLOT).take();
            if (id < 0) {
                id = last.getAndAdd(3);
                ranges.put(SLOT, new StripedRanges.Range(id + 1, id + 3, 3, 0, 0));
            }
            each[thread].end(begun, id, 1);
            all.end(0, id, 1);
        }

        @Operation
        public void issued() {
            if (ranges.issued() > last.get()) {
                throw new AssertionError("More ids are counted than were reserved: " + ranges.issued());
            }
        }

        @Validate
        public void allAreCounted() {
            if (ranges.issued() != all.given()) {
                throw new AssertionError(ranges.issued() + " ids are counted, and given were " + all.given());
            }
        }
    }

    @Test
    void threadsThatShareASlotGetAscendingIdsToo() {
        Interleavings.check(OneSlot.class, 10, 1_000);
    }

    /** Two generators with one number, whose ids are those of one. */
    public static final class SameNumber {

        private final AnswersInOrder all = new AnswersInOrder();

        private final Worker worker = new SettableWorker(new Worker.Window(5, BEGIN, BEGIN + 1_000));

        private final SnowflakeGenerator[] generators = {generator(), generator(), generator(), generator()};

        private SnowflakeGenerator generator() {
            return new SnowflakeGenerator(
                    Snowflakes.waits(),
                    LAYOUT,
                    worker,
                    () -> Instant.ofEpochMilli(BEGIN),
                    Duration.ofMillis(3),
                    Duration.ZERO,
                    bound -> 0);
        }

        @Operation
        public void one(@Param(gen = ThreadIdGen.class) int thread) {
            all.end(0, generators[thread].tryNext(0), 1);
        }
    }

    @Test
    void twoGeneratorsWithOneNumberAreFound() {
        Interleavings.assertFound(SameNumber.class, "was given twice");
    }
}

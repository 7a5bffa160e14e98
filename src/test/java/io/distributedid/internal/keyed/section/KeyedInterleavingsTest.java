package io.distributedid.internal.keyed.section;

import io.distributedid.AnswersInOrder;
import io.distributedid.Interleavings;
import io.distributedid.internal.tenure.TenureProtocol;
import io.distributedid.internal.tenure.TenureRequest;
import io.distributedid.internal.tenure.TenureRow;
import io.distributedid.internal.tenure.TenureState;
import io.distributedid.internal.tenure.Term;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Keys that are counted while tables grow and pages form, in many interleavings. */
@Tag("slow")
@Tag("model")
@Tag("interleavings")
class KeyedInterleavingsTest {

    private static final long UNBOUNDED = 1L << 40;

    /** In nanoseconds. */
    private static final long LEASE = 1_000;

    /** Fifteen neighbours have a place each. The sixteenth makes a page of them. */
    public static final class Pages {

        private final Keys keys = new Keys(100, new KeyMemory(UNBOUNDED));

        public Pages() {
            for (int key = 0; key < 15; key++) {
                keys.next(key, 1, UNBOUNDED);
            }
        }

        @Operation
        public long next() {
            return keys.next(14, 1, UNBOUNDED);
        }

        @Operation
        public long bounded() {
            return keys.next(14, 2, 103);
        }

        @Operation(runOnce = true)
        public long form() {
            return keys.next(15, 1, UNBOUNDED);
        }

        @Operation
        public long current() {
            return keys.current(14);
        }
    }

    /** What keys answer, one call after another. */
    public static class InOrder {

        private final Map<Integer, Long> numbers = new HashMap<>();

        InOrder(int known) {
            for (int key = 0; key < known; key++) {
                numbers.put(key, 101L);
            }
        }

        public long next(int key) {
            return numbers.merge(key, 101L, (before, first) -> before + 1);
        }

        public long current(int key) {
            return numbers.getOrDefault(key, 100L);
        }

        public long bounded(int key) {
            if (current(key) > 101) {
                return Keys.ABOVE_MAX;
            }
            next(key);
            return next(key);
        }
    }

    /** The same, one call after another. */
    public static final class PagesInOrder {

        private final InOrder keys = new InOrder(15);

        public long next() {
            return keys.next(14);
        }

        public long bounded() {
            return keys.bounded(14);
        }

        public long form() {
            return keys.next(15);
        }

        public long current() {
            return keys.current(14);
        }
    }

    /** A page that is there. */
    public static final class Page {

        private final Keys keys = new Keys(100, new KeyMemory(UNBOUNDED));

        public Page() {
            for (int key = 0; key < 18; key++) {
                keys.next(key, 1, UNBOUNDED);
            }
        }

        @Operation
        public long next(@Param(gen = IntGen.class, conf = "16:17") int key) {
            return keys.next(key, 1, UNBOUNDED);
        }

        @Operation
        public long current(@Param(gen = IntGen.class, conf = "16:17") int key) {
            return keys.current(key);
        }

        @Operation
        public long bounded(@Param(gen = IntGen.class, conf = "16:17") int key) {
            return keys.next(key, 2, 103);
        }
    }

    /** The same, one call after another. */
    public static final class PageInOrder extends InOrder {

        public PageInOrder() {
            super(18);
        }
    }

    @Test
    void numbersOfAPageFollowEachOther() {
        Interleavings.check(Page.class, PageInOrder.class, 10);
    }

    @Test
    void numbersFollowEachOtherWhileAPageForms() {
        Interleavings.check(Pages.class, PagesInOrder.class, 10, 500);
    }

    /** Keys far apart, whose hashes begin alike, so that one table has them all. */
    private static final long[] APART = LongStream.iterate(1L << 20, key -> key + (1L << 20))
            .filter(key -> KeyTable.hash(key) >>> 60 == 3)
            .limit(18)
            .toArray();

    /** Thirteen keys far apart fill a table. The fourteenth needs a larger one. */
    public static final class Tables {

        private final Keys keys = new Keys(100, new KeyMemory(UNBOUNDED));

        public Tables() {
            for (int key = 0; key < 13; key++) {
                keys.next(APART[key], 1, UNBOUNDED);
            }
        }

        @Operation
        public long next(@Param(gen = IntGen.class, conf = "11:15") int key) {
            return keys.next(APART[key], 1, UNBOUNDED);
        }

        @Operation
        public long current(@Param(gen = IntGen.class, conf = "11:15") int key) {
            return keys.current(APART[key]);
        }

        @Operation
        public long bounded(@Param(gen = IntGen.class, conf = "11:15") int key) {
            return keys.next(APART[key], 2, 103);
        }
    }

    /** The same, one call after another. */
    public static final class TablesInOrder extends InOrder {

        public TablesInOrder() {
            super(13);
        }
    }

    @Test
    void numbersFollowEachOtherWhileATableGrows() {
        Interleavings.check(Tables.class, TablesInOrder.class, 10);
    }

    /** Counters that are read, then written. */
    public static final class TornCounters {

        private final long[] numbers = new long[18];

        public TornCounters() {
            Arrays.fill(numbers, 101);
        }

        @Operation
        public long next(@Param(gen = IntGen.class, conf = "16:17") int key) {
            numbers[key]++;
            return numbers[key];
        }

        @Operation
        public long current(@Param(gen = IntGen.class, conf = "16:17") int key) {
            return numbers[key];
        }

        @Operation
        public long bounded(@Param(gen = IntGen.class, conf = "16:17") int key) {
            if (numbers[key] > 101) {
                return Keys.ABOVE_MAX;
            }
            numbers[key] += 2;
            return numbers[key];
        }
    }

    @Test
    void countersThatAreReadThenWrittenAreFound() {
        Interleavings.assertFound(TornCounters.class, PageInOrder.class);
    }

    /** A process that gives the numbers of a section while it owns it. One thread takes its steps. */
    private static final class Owner {

        private final SectionProtocol protocol = new SectionProtocol(new TenureProtocol(LEASE), 16);

        private final String name;

        private final AtomicReference<@Nullable TenureRow> row;

        private final AtomicLong nanos;

        private final Section section;

        private TenureState state = TenureState.EMPTY;

        private int tokens;

        Owner(String name, AtomicReference<@Nullable TenureRow> row, AtomicLong nanos, LongSupplier clockOfCalls) {
            this.name = name;
            this.row = row;
            this.nanos = nanos;
            section = new Section(protocol, new KeyMemory(UNBOUNDED), clockOfCalls);
        }

        /** Reads the row, and claims, renews or raises it if that is due. */
        void step() {
            learn(protocol.tenure().read(state, row.get(), nanos.get()));
            if (protocol.pause(state, section.wanted(), nanos.get()) > 0) {
                return;
            }
            TenureRequest request = protocol.request(state, section.wanted(), name, name + tokens++, nanos.get());
            if (replace(request)) {
                learn(protocol.tenure().granted(request));
            }
        }

        void handOver() {
            Term held = state.held();
            if (held != null) {
                section.learn(TenureState.EMPTY);
                replace(protocol.handOver(held, name + tokens++, nanos.get()));
                state = TenureState.EMPTY;
            }
        }

        private boolean replace(TenureRequest request) {
            TenureRow found = row.get();
            return Objects.equals(found, request.expected()) && row.compareAndSet(found, request.next());
        }

        private void learn(TenureState next) {
            state = next;
            section.learn(next);
        }
    }

    /** Two processes that give the numbers of one key in turn, by one clock. The first one begins. */
    public static class TwoOwners {

        private final AnswersInOrder answers = new AnswersInOrder();

        private final AtomicLong nanos = new AtomicLong();

        private final AtomicReference<@Nullable TenureRow> row = new AtomicReference<>();

        private final Owner[] owners;

        public TwoOwners() {
            this(false);
        }

        /** @param areCareless whether the clock by which calls look at the lease stands still */
        TwoOwners(boolean areCareless) {
            LongSupplier clockOfCalls = areCareless ? () -> 0 : nanos::get;
            owners = new Owner[] {new Owner("a", row, nanos, clockOfCalls), new Owner("b", row, nanos, clockOfCalls)};
            owners[0].step();
            owners[1].step();
        }

        @Operation
        public void next(@Param(gen = IntGen.class, conf = "0:1") int process) {
            long begun = answers.begin();
            long number = owners[process].section.next(7, 1);
            if (number >= 0) {
                answers.end(begun, number, 1);
            }
        }

        @Operation
        public void step(@Param(gen = ThreadIdGen.class) int thread) {
            owners[thread % 2].step();
        }

        @Operation
        public void handOver(@Param(gen = ThreadIdGen.class) int thread) {
            owners[thread % 2].handOver();
        }

        @Operation
        public void forgetKeys(@Param(gen = ThreadIdGen.class) int thread) {
            owners[thread % 2].section.dropKeys();
            owners[thread % 2].step();
        }

        @Operation
        public void pass() {
            nanos.addAndGet(2 * LEASE);
        }

        /** The lease of the other process is over, and this one gives numbers. */
        @Operation
        public void takeOver(@Param(gen = ThreadIdGen.class) int thread) {
            pass();
            step(thread);
            next(thread % 2);
        }
    }

    @Test
    void numbersOfAKeyAscendWhileItsSectionGoesFromOneProcessToAnother() {
        Interleavings.check(TwoOwners.class, 100);
    }

    /** The same, without a look at the lease. */
    public static final class CarelessOwners extends TwoOwners {

        public CarelessOwners() {
            super(true);
        }
    }

    @Test
    void numbersWithoutALeaseAreFound() {
        Interleavings.assertFound(CarelessOwners.class, "which was given before the call began");
    }
}

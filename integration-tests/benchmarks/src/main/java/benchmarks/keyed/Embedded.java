package benchmarks.keyed;

import benchmarks.Budget;
import benchmarks.Fork;
import benchmarks.Logs;
import benchmarks.Order;
import benchmarks.Rounds.Rate;
import io.distributedid.internal.keyed.served.KeyMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A JVM that owns a million keys, and whose threads take a number of any of them as fast as they can: from sections,
 * and from a map. At the end, the last numbers of all keys must add up to the numbers that were taken.
 */
final class Embedded {

    static final int KEYS = 1_000_000;

    static final List<Integer> THREADS = List.of(1, 2);

    private static final Duration BEGIN = Duration.ofMillis(20);

    private static final Duration TURN = Duration.ofMillis(250);

    /** Until everything is compiled; not counted. */
    private static final int FIRST_ROUNDS = 4;

    private static final int CALLS = 10_000;

    private static final String SECTIONS = "SECTIONS";

    private static final String MAP = "MAP";

    private Embedded() {}

    static String sections(KeyShape shape, int threads) {
        return SECTIONS + "_" + shape + "_" + threads;
    }

    static String map(KeyShape shape, int threads) {
        return MAP + "_" + shape + "_" + threads;
    }

    /** Number of the fork, shape of the keys, seconds in which rounds begin, rounds. */
    public static void main(String[] args) throws Exception {
        Logs.quiet();
        KeyShape shape = KeyShape.valueOf(args[1]);
        Sections sections = new Sections(new KeyMemory(1 << 30));
        Map<Long, AtomicLong> map = new ConcurrentHashMap<>();
        for (int i = 0; i < KEYS; i++) {
            sections.next(shape.key(i));
            map.put(shape.key(i), new AtomicLong(1));
        }
        List<Work> ours = new ArrayList<>();
        List<Work> others = new ArrayList<>();
        for (int thread = 0; thread < THREADS.get(THREADS.size() - 1); thread++) {
            ours.add(new OfSections(shape, thread, sections));
            others.add(new OfMap(shape, thread, map));
        }
        Order<String> order = new Order<>(
                THREADS.stream()
                        .flatMap(threads -> List.of(sections(shape, threads), map(shape, threads)).stream())
                        .toList(),
                Long.parseLong(args[0]));
        Budget budget = new Budget(
                Duration.ofSeconds(Long.parseLong(args[2])),
                FIRST_ROUNDS + 2,
                FIRST_ROUNDS + Integer.parseInt(args[3]));
        for (int round = 0; budget.begins(); round++) {
            for (String contender : order.next()) {
                List<Work> all = contender.startsWith(SECTIONS) ? ours : others;
                int threads = Integer.parseInt(contender.substring(contender.lastIndexOf('_') + 1));
                Rate rate = FlatOut.rate(all.subList(0, threads), BEGIN, TURN);
                if (round >= FIRST_ROUNDS) {
                    Fork.print(contender, rate);
                }
            }
        }
        requireAllCounted(shape, sections, ours);
        System.exit(0);
    }

    private static void requireAllCounted(KeyShape shape, Sections sections, List<Work> works) {
        long taken = KEYS + works.stream().mapToLong(work -> work.taken).sum();
        long counted = 0;
        for (int i = 0; i < KEYS; i++) {
            counted += sections.current(shape.key(i));
        }
        if (counted != taken) {
            throw new IllegalStateException("Numbers are missing or were given twice: taken=" + taken
                    + ", the last numbers of all keys add up to " + counted);
        }
    }

    /** The calls of one thread. */
    private abstract static class Work implements FlatOut.Work {

        final KeyShape shape;

        /** Of a linear congruential generator, which costs next to nothing. */
        long random;

        long taken;

        /** Where the compiler can't see that nobody reads it. */
        volatile long last;

        Work(KeyShape shape, int thread) {
            this.shape = shape;
            random = thread;
        }

        static long following(long random) {
            return random * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
        }

        static int index(long random) {
            return (int) ((random >>> Integer.SIZE) * KEYS >>> Integer.SIZE);
        }
    }

    /** Has a loop of its own, which the compiler sees with one kind of call only. */
    private static final class OfSections extends Work {

        private final Sections sections;

        OfSections(KeyShape shape, int thread, Sections sections) {
            super(shape, thread);
            this.sections = sections;
        }

        @Override
        public long some() {
            long sum = 0;
            for (int i = 0; i < CALLS; i++) {
                random = following(random);
                sum += sections.next(shape.key(index(random)));
            }
            last = sum;
            taken += CALLS;
            return CALLS;
        }
    }

    /** As {@link OfSections}. */
    private static final class OfMap extends Work {

        private final Map<Long, AtomicLong> map;

        OfMap(KeyShape shape, int thread, Map<Long, AtomicLong> map) {
            super(shape, thread);
            this.map = map;
        }

        @Override
        public long some() {
            long sum = 0;
            for (int i = 0; i < CALLS; i++) {
                random = following(random);
                sum += map.get(shape.key(index(random))).incrementAndGet();
            }
            last = sum;
            taken += CALLS;
            return CALLS;
        }
    }
}

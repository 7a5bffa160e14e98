package benchmarks.scale;

import benchmarks.Counters;
import benchmarks.Heap;
import benchmarks.Logs;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.LongSupplier;

/** A JVM with many open sequences, which are idle after their first ids. */
final class Idle {

    /** What the first sequences need once does not count. */
    private static final int FIRST = 50;

    private Idle() {}

    /** Store, sequences, seconds of rest, URLs of servers. */
    public static void main(String[] args) throws Exception {
        Logs.quiet();
        Store store = Store.valueOf(args[0]);
        int count = Integer.parseInt(args[1]);
        List<String> names = Counters.names(FIRST + count);
        Store.Sequences sequences = store.open(List.of(args).subList(3, args.length));
        sequences.open(names.subList(0, FIRST)).forEach(LongSupplier::getAsLong);
        long before = Heap.used();
        int threads = ManagementFactory.getThreadMXBean().getThreadCount();
        sequences.open(names.subList(FIRST, FIRST + count)).forEach(LongSupplier::getAsLong);
        Thread.sleep(Long.parseLong(args[2]) * 1000);
        Results.print("bytes", (double) (Heap.used() - before) / count);
        Results.print("threads", ManagementFactory.getThreadMXBean().getThreadCount() - threads);
        sequences.close();
        System.exit(0);
    }
}

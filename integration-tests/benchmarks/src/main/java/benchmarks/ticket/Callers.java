package benchmarks.ticket;

import benchmarks.IdSet;
import benchmarks.Rounds.Rate;
import benchmarks.Stopwatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Threads that take ids as fast as they get them, and note each. What counts is what they get between the warm-up and
 * the end. Both are over after their time, or as soon as a thread has its share of {@value #MOST} ids: on a fast
 * machine, ids that are noted for longer would fill the memory.
 */
public final class Callers {

    static final int MOST = 20_000_000;

    private enum Phase {
        WARM_UP,
        MEASURED,
        OVER
    }

    /**
     * What they got.
     *
     * @param ids all of them, none twice
     * @param rate ids per second after the warm-up
     * @param deadlocks that callers were told of, in all
     */
    public record Taken(IdSet ids, Rate rate, long deadlocks) {}

    private record Share(IdSet ids, long measured, long deadlocks) {}

    private final CountDownLatch warm = new CountDownLatch(1);

    private final CountDownLatch enough = new CountDownLatch(1);

    private final int share;

    private volatile Phase phase = Phase.WARM_UP;

    private Callers(int threads) {
        share = MOST / threads;
    }

    /** A thread for each source. */
    public static Taken take(List<Source> sources, Duration warmUp, Duration time)
            throws InterruptedException, ExecutionException {
        return new Callers(sources.size()).run(sources, warmUp, time);
    }

    private Taken run(List<Source> sources, Duration warmUp, Duration time)
            throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(sources.size());
        try {
            List<Future<Share>> shares = new ArrayList<>();
            for (Source source : sources) {
                shares.add(threads.submit(() -> share(source)));
            }
            boolean unused = warm.await(warmUp.toMillis(), TimeUnit.MILLISECONDS);
            Stopwatch watch = new Stopwatch();
            phase = Phase.MEASURED;
            unused = enough.await(time.toMillis(), TimeUnit.MILLISECONDS);
            Stopwatch.Spent spent = watch.spent();
            phase = Phase.OVER;
            IdSet ids = new IdSet();
            long measured = 0;
            long deadlocks = 0;
            for (Future<Share> share : shares) {
                ids.addAll(share.get().ids);
                measured += share.get().measured;
                deadlocks += share.get().deadlocks;
            }
            // None at all is less than one: the logarithm of a ratio needs a number.
            return new Taken(ids, spent.rate(Math.max(1, measured)), deadlocks);
        } finally {
            phase = Phase.OVER;
            threads.shutdown();
        }
    }

    private Share share(Source source) throws Exception {
        IdSet ids = new IdSet();
        long measured = 0;
        long before = source.deadlocks();
        Phase seen = phase;
        while (seen != Phase.OVER) {
            ids.add(source.next());
            seen = phase;
            if (seen == Phase.MEASURED) {
                measured++;
                if (measured == share) {
                    enough.countDown();
                }
            } else if (ids.size() == share) {
                warm.countDown();
            }
        }
        return new Share(ids, measured, source.deadlocks() - before);
    }
}

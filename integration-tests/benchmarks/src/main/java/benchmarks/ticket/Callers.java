package benchmarks.ticket;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that take ids as fast as they get them, and note each. What counts is what they get between the warm-up and the end. */
final class Callers {

    private enum Phase {
        WARM_UP,
        MEASURED,
        OVER
    }

    /**
     * What they got.
     *
     * @param ids all of them, none twice
     * @param perSecond after the warm-up
     * @param deadlocks that callers were told of, in all
     */
    record Taken(IdSet ids, double perSecond, long deadlocks) {}

    private record Share(IdSet ids, long measured, long deadlocks) {}

    private volatile Phase phase = Phase.WARM_UP;

    private Callers() {}

    /** A thread for each source. */
    static Taken take(List<Source> sources, Duration warmUp, Duration time)
            throws InterruptedException, ExecutionException {
        return new Callers().run(sources, warmUp, time);
    }

    private Taken run(List<Source> sources, Duration warmUp, Duration time)
            throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(sources.size());
        try {
            List<Future<Share>> shares = new ArrayList<>();
            for (Source source : sources) {
                shares.add(threads.submit(() -> share(source)));
            }
            Thread.sleep(warmUp.toMillis());
            long start = System.nanoTime();
            phase = Phase.MEASURED;
            Thread.sleep(time.toMillis());
            long nanos = System.nanoTime() - start;
            phase = Phase.OVER;
            IdSet ids = new IdSet();
            long measured = 0;
            long deadlocks = 0;
            for (Future<Share> share : shares) {
                ids.addAll(share.get().ids);
                measured += share.get().measured;
                deadlocks += share.get().deadlocks;
            }
            return new Taken(ids, measured * 1e9 / nanos, deadlocks);
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
            }
        }
        return new Share(ids, measured, source.deadlocks() - before);
    }
}

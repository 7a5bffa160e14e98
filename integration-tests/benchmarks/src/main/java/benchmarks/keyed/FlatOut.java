package benchmarks.keyed;

import benchmarks.Rounds.Rate;
import benchmarks.Stopwatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that do a piece of work again and again. What counts is what they do between the warm-up and the end. */
final class FlatOut {

    private enum Phase {
        WARM_UP,
        MEASURED,
        OVER
    }

    private volatile Phase phase = Phase.WARM_UP;

    private FlatOut() {}

    /** What one thread does. */
    @FunctionalInterface
    interface Work {

        /** Does some, much shorter than a turn, and returns how much. */
        long some() throws Exception;
    }

    /** A thread for each. */
    static Rate rate(List<? extends Work> works, Duration warmUp, Duration time)
            throws InterruptedException, ExecutionException {
        return new FlatOut().run(works, warmUp, time);
    }

    private Rate run(List<? extends Work> works, Duration warmUp, Duration time)
            throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(works.size());
        try {
            List<Future<Long>> shares = new ArrayList<>();
            for (Work work : works) {
                shares.add(threads.submit(() -> share(work)));
            }
            Thread.sleep(warmUp.toMillis());
            Stopwatch watch = new Stopwatch();
            phase = Phase.MEASURED;
            Thread.sleep(time.toMillis());
            Stopwatch.Spent spent = watch.spent();
            phase = Phase.OVER;
            long done = 0;
            for (Future<Long> share : shares) {
                done += share.get();
            }
            // None at all is less than one: the logarithm of a ratio needs a number.
            return spent.rate(Math.max(1, done));
        } finally {
            phase = Phase.OVER;
            threads.shutdown();
        }
    }

    private long share(Work work) throws Exception {
        long measured = 0;
        for (Phase seen = phase; seen != Phase.OVER; seen = phase) {
            long done = work.some();
            if (phase == Phase.MEASURED && seen == Phase.MEASURED) {
                measured += done;
            }
        }
        return measured;
    }
}

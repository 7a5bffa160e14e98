package benchmarks.scale;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * A few threads that take ids of many sequences on {@linkplain Schedule schedule}, and note each: one that comes twice
 * ends the run. A call's time begins when it is due, so a call that waits also delays those after it. Calls that were
 * due and never made, because a thread came so late, are late ones.
 *
 * <p>A thread that the machine wakes or runs late makes late calls that no generator can help. So there are two counts.
 * Late is each call that took too long from its due time. A late call also waited if the generator parked or blocked
 * its thread, which the JVM counts, in this call or in one before that ended after this one was due.
 */
final class ScheduledCallers {

    private static final long MILLI = 1_000_000;

    /**
     * What happened when calls counted.
     *
     * @param calls that were due
     * @param late calls that took longer than the limit, or failed
     * @param waited late calls that waited for the generator, or failed
     * @param failed calls that threw
     * @param longest time of a call in each second from the first call on, in milliseconds
     * @param answered calls in each second from the first call on
     */
    record Outcome(long calls, long late, long waited, long failed, double[] longest, double[] answered) {

        double perMillion(long count) {
            return count * 1e6 / calls;
        }

        Outcome plus(Outcome other) {
            double[] longer = longest.clone();
            double[] sum = answered.clone();
            for (int second = 0; second < sum.length; second++) {
                longer[second] = Math.max(longer[second], other.longest[second]);
                sum[second] += other.answered[second];
            }
            return new Outcome(
                    calls + other.calls, late + other.late, waited + other.waited, failed + other.failed, longer, sum);
        }
    }

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    private final List<LongSupplier> sequences;

    private final Schedule schedule;

    private final long limit;

    private final LongSupplier nanoTime;

    private final LongConsumer sleepUntil;

    /**
     * Calls nothing yet.
     *
     * @param sequences as many as the schedule has
     * @param limitNanos a longer call is late
     */
    ScheduledCallers(List<LongSupplier> sequences, Schedule schedule, long limitNanos) {
        this(sequences, schedule, limitNanos, System::nanoTime, ScheduledCallers::sleepUntil);
    }

    ScheduledCallers(
            List<LongSupplier> sequences,
            Schedule schedule,
            long limitNanos,
            LongSupplier nanoTime,
            LongConsumer sleepUntil) {
        this.nanoTime = nanoTime;
        this.sleepUntil = sleepUntil;
        this.sequences = List.copyOf(sequences);
        this.schedule = schedule;
        limit = limitNanos;
    }

    /**
     * Takes ids until the end of the schedule.
     *
     * @param callers divides the number of sequences, so that each sequence has one caller
     */
    Outcome run(int callers) throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(callers);
        try {
            long begin = nanoTime.getAsLong();
            List<Future<Outcome>> shares = new ArrayList<>();
            for (int caller = 0; caller < callers; caller++) {
                int first = caller;
                shares.add(pool.submit(() -> new Caller(begin).run(first, callers)));
            }
            Outcome all = shares.get(0).get();
            for (Future<Outcome> share : shares.subList(1, callers)) {
                all = all.plus(share.get());
            }
            return all;
        } finally {
            pool.shutdownNow();
        }
    }

    /** One thread's share. */
    private final class Caller {

        private final long begin;

        private final long end;

        private final long[][] ids = new long[sequences.size()][];

        private final int[] taken = new int[sequences.size()];

        private final double[] longest = new double[schedule.seconds()];

        private final double[] answered = new double[schedule.seconds()];

        private long calls;

        private long late;

        private long waited;

        private long failed;

        private long parks;

        private long waitedUntil;

        Caller(long begin) {
            this.begin = begin;
            end = begin + schedule.millis() * MILLI;
            waitedUntil = begin;
        }

        Outcome run(int first, int step) {
            long call = first;
            for (int milli = 0; milli < schedule.millis(); milli++) {
                long due = begin + milli * MILLI;
                sleepUntil.accept(due);
                parks = parks();
                for (; call < (milli + 1L) * schedule.perMilli(); call += step) {
                    call(schedule.sequence(call), milli, due);
                }
            }
            for (int sequence = first; sequence < ids.length; sequence += step) {
                requireNoneTwice(sequence);
            }
            return new Outcome(calls, late, waited, failed, longest, answered);
        }

        private void call(int sequence, int milli, long due) {
            long start = nanoTime.getAsLong();
            boolean isOver = start >= end;
            boolean isFailed = !isOver && !take(sequence);
            long now = isOver ? start : nanoTime.getAsLong();
            if (now - start > limit / 2) {
                long parksNow = parks();
                if (parksNow > parks) {
                    waitedUntil = now;
                }
                parks = parksNow;
            }
            longest[milli / 1000] = Math.max(longest[milli / 1000], (now - due) / (double) MILLI);
            if (!isOver && !isFailed && now < end) {
                answered[(int) ((now - begin) / MILLI / 1000)]++;
            }
            if (schedule.counts(milli)) {
                calls++;
                failed += isFailed ? 1 : 0;
                late += isFailed || now - due > limit ? 1 : 0;
                waited += isFailed || now - due > limit && due < waitedUntil ? 1 : 0;
            }
        }

        private boolean take(int sequence) {
            if (ids[sequence] == null) {
                ids[sequence] = new long[schedule.callsOfOne()];
            }
            try {
                ids[sequence][taken[sequence]] = sequences.get(sequence).getAsLong();
                taken[sequence]++;
                return true;
            } catch (RuntimeException e) {
                return false;
            }
        }

        private void requireNoneTwice(int sequence) {
            if (ids[sequence] == null) {
                return;
            }
            long[] sorted = Arrays.copyOf(ids[sequence], taken[sequence]);
            Arrays.sort(sorted);
            for (int i = 1; i < sorted.length; i++) {
                if (sorted[i - 1] == sorted[i]) {
                    throw new IllegalStateException("An id came twice: sequence=" + sequence + " id=" + sorted[i]);
                }
            }
        }

        private long parks() {
            ThreadInfo info = threads.getThreadInfo(Thread.currentThread().getId());
            return info.getWaitedCount() + info.getBlockedCount();
        }
    }

    private static void sleepUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}

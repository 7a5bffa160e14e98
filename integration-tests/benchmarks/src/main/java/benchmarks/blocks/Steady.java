package benchmarks.blocks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * One caller that takes ids at a steady rate, a few in each millisecond.
 *
 * <p>A call waited for the network if it parked or blocked its thread, which the JVM counts, and took more than a
 * quarter of a trip to the server. A call that was slow because the machine was busy parks nothing, so it doesn't
 * count; one that fetches itself waits for the server, so it does.
 */
final class Steady {

    /** Neither side knows the rate before. */
    private static final Duration WARM_UP = Duration.ofSeconds(1);

    /**
     * What happened after the first second.
     *
     * @param used ids handed out
     * @param reserved ids reserved
     * @param dropped reserved ids that nobody gets any more
     * @param leftBefore reserved ids that were left after the first second
     * @param left reserved ids that are left at the end
     * @param trips to the server
     * @param waited calls that waited for the network
     */
    record Result(long used, long reserved, long dropped, long leftBefore, long left, long trips, long waited) {

        double reservedPerUsed() {
            return (double) reserved / used;
        }
    }

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    private final LongSupplier source;

    private final DistantServer server;

    private final long patience;

    Steady(LongSupplier source, DistantServer server, Duration distance) {
        this.source = source;
        this.server = server;
        patience = distance.toNanos() / 4;
    }

    Result run(int perSecond, Duration time) {
        int perMilli = perSecond / 1000;
        long begin = System.nanoTime();
        long waited = 0;
        long used = 0;
        long usedBefore = 0;
        long highestBefore = 0;
        long highest = 0;
        long leftBefore = 0;
        long counted = begin + WARM_UP.toNanos();
        for (long milli = 0; milli < WARM_UP.plus(time).toMillis(); milli++) {
            sleepUntil(begin + milli * 1_000_000);
            if (milli == WARM_UP.toMillis()) {
                counted = System.nanoTime();
                usedBefore = used;
                highestBefore = highest;
                leftBefore = server.last() - highest;
                waited = 0;
            }
            for (int i = 0; i < perMilli; i++) {
                long parks = parks();
                long start = System.nanoTime();
                highest = source.getAsLong();
                if (System.nanoTime() - start > patience && parks() > parks) {
                    waited++;
                }
                used++;
            }
        }
        long taken = used - usedBefore;
        return new Result(
                taken,
                server.idsSince(counted),
                highest - highestBefore - taken,
                leftBefore,
                server.last() - highest,
                server.tripsSince(counted),
                waited);
    }

    private long parks() {
        ThreadInfo info = threads.getThreadInfo(Thread.currentThread().getId());
        return info.getWaitedCount() + info.getBlockedCount();
    }

    private static void sleepUntil(long nanos) {
        long left = nanos - System.nanoTime();
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = nanos - System.nanoTime();
        }
    }
}

package io.distributedid.backend.snowflake;

import io.distributedid.internal.block.WaitStatistics;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.internal.lease.LeaseRunner;
import io.distributedid.internal.lease.LeaseStore;
import io.distributedid.internal.lease.Right;
import io.distributedid.internal.lease.StoreHeader;
import io.distributedid.internal.process.Platform;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The library's own lease and generator over any store of leases. The library's settings name the stores that it knows;
 * this one is none of them, so they are put together here, in the package of the generator.
 *
 * <p>The layout has 64 ids for each worker number in 10 ms. Two nodes that hold one number at a time soon give the same
 * id: with 12 bits, as usual, that would often stay hidden.
 */
public final class LeasedIds implements AutoCloseable {

    private static final int WORKER_BITS = 10;

    private static final int SEQUENCE_BITS = 6;

    private static final IdLayout LAYOUT = LayoutParser.parse(
            "time(10ms):40, worker:" + WORKER_BITS + ", sequence:" + SEQUENCE_BITS, LayoutParser.DEFAULT_EPOCH);

    private static final Duration CALLER_TIMEOUT = Duration.ofMillis(500);

    private static final Duration MAX_AHEAD = Duration.ofMillis(100);

    private final LeasedWorker worker;

    private final SnowflakeGenerator generator;

    private LeasedIds(LeasedWorker worker, InstantSource clock) {
        this.worker = worker;
        this.generator = new SnowflakeGenerator(
                new WaitStatistics("ids", System::nanoTime, time -> {}),
                LAYOUT,
                worker,
                clock,
                MAX_AHEAD,
                Duration.ZERO,
                bound -> ThreadLocalRandom.current().nextLong(bound));
    }

    /**
     * Leases a number.
     *
     * @param numbers the lowest so many are used
     * @throws io.distributedid.IdUnavailableException if that was not possible; call again
     */
    public static LeasedIds open(LeaseStore store, Duration window, int numbers, InstantSource clock) {
        StoreHeader.Terms begins =
                new StoreHeader.Terms(window.toMillis(), window.dividedBy(4).toMillis());
        LeaseRunner runner = new LeaseRunner(store, begins, clock, Platform.JVM);
        boolean isOpen = false;
        try {
            LeasedWorker worker = LeasedWorker.ofNumber(runner, new Right.Numbers(0, numbers - 1L), CALLER_TIMEOUT);
            worker.lease(window.multipliedBy(2));
            isOpen = true;
            return new LeasedIds(worker, clock);
        } finally {
            if (!isOpen) {
                runner.abandon();
            }
        }
    }

    /** @throws io.distributedid.IdUnavailableException if there is no window for the present time */
    public long next() {
        return generator.next(0);
    }

    /** Gives no more ids, and hands the rest of the window back. Called once. */
    @Override
    public void close() {
        worker.runner().release(Map.of(worker.right(), generator.close()));
    }

    /** The worker number in an id. */
    public static long worker(long id) {
        return id >> SEQUENCE_BITS & (1L << WORKER_BITS) - 1;
    }
}

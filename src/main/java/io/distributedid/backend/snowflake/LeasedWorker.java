package io.distributedid.backend.snowflake;

import io.distributedid.TenureStatistics;
import io.distributedid.WorkerStatistics;
import io.distributedid.internal.lease.Lease;
import io.distributedid.internal.lease.LeaseProtocol;
import io.distributedid.internal.lease.LeaseRunner;
import io.distributedid.internal.lease.Right;
import io.distributedid.internal.lease.StoreHeader;
import io.distributedid.internal.process.ProcessName;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timestamp;
import org.jspecify.annotations.Nullable;

/** A leased worker number, or the leased right to make ids in strict order. A {@link LeaseRunner} renews it. */
final class LeasedWorker implements Worker {

    private static final Logger LOG = System.getLogger(LeasedWorker.class.getName());

    @Name("io.distributedid.Window")
    @Label("Window")
    @Category("Distributed Ids")
    @Description("A worker number was leased, or its window prolonged")
    @StackTrace(false)
    @SuppressWarnings("UnusedVariable") // The flight recorder reads them.
    private static final class WindowEvent extends Event {

        @Label("Worker")
        long worker;

        @Label("From")
        @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
        long from;

        @Label("Until")
        @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
        long until;

        @Label("Store")
        @Nullable
        String store;
    }

    /** While another process has the right. */
    private static final Window NONE = new Window(0, 0, 0);

    private record Shown(@Nullable Lease lease, Window window) {}

    private final LeaseRunner runner;

    private final Right right;

    /** The number in ids if the store has only that. Its window has no end that callers see. */
    private final OptionalLong only;

    /** Of strict order, in nanoseconds; 0 for a worker number. */
    private final long lease;

    private final String owner;

    private final List<SnowflakeGenerator> generators = new CopyOnWriteArrayList<>();

    private final ReentrantLock lock = new ReentrantLock();

    /** The values of fixed fields that this process has taken. Guarded by the lock. */
    private final Set<String> taken = new HashSet<>();

    private volatile Duration patience;

    private volatile Shown shown = new Shown(null, NONE);

    /** Guarded by the lock. */
    private long notBefore;

    /** When fixed fields were last taken. Guarded by the lock. */
    private OptionalLong unrecordedUse = OptionalLong.empty();

    private LeasedWorker(
            LeaseRunner runner, @Nullable Right right, long lease, OptionalLong only, String owner, Duration patience) {
        this.runner = runner;
        this.right = right == null ? Right.exclusive(StoreHeader.STRICT, new StrictClaims(), lease, owner) : right;
        this.lease = lease;
        this.only = only;
        this.owner = owner;
        this.patience = patience;
    }

    /**
     * Of a store of many worker numbers.
     *
     * @param patience how long a call waits for a window that is late
     */
    static LeasedWorker ofNumber(LeaseRunner runner, Right.Numbers numbers, Duration patience) {
        return ofNumber(runner, numbers, OptionalLong.empty(), patience);
    }

    /** Of the only number of a store, which is {@code number} in ids. Its window is renewed while it is used. */
    static LeasedWorker ofOnlyNumber(LeaseRunner runner, long number, Duration patience) {
        return ofNumber(runner, new Right.Numbers(0, 0), OptionalLong.of(number), patience);
    }

    private static LeasedWorker ofNumber(
            LeaseRunner runner, Right.Numbers numbers, OptionalLong only, Duration patience) {
        String owner = ProcessName.ofProcess();
        return new LeasedWorker(runner, Right.worker(numbers, only.isPresent(), owner), 0, only, owner, patience);
    }

    /**
     * Of strict order.
     *
     * @param lease how long it makes ids without an answer of the store
     * @param owner names this process to those that stand by
     * @param patience how long a call waits for a renewal that is late
     */
    static LeasedWorker strict(LeaseRunner runner, Duration lease, String owner, Duration patience) {
        return new LeasedWorker(runner, null, lease.toNanos(), OptionalLong.empty(), owner, patience);
    }

    /**
     * Leases it, unless it has. In strict order this process may stand by. A call that failed is repeated, since its
     * claim may have been done.
     *
     * @param wait how long to wait for a number that is free
     */
    void lease(Duration wait) {
        runner.take(right, wait);
    }

    /**
     * The bound lies ahead of the clock by a lease, so that it does not end before the right does. A successor that has
     * waited for the lease then begins near its clock. It also leaves room above the last id, for a clock that lags and
     * for bursts; but no more than the store's clock allows, since the next process may be one that begins at its
     * clock, because the row was lost.
     */
    private final class StrictClaims implements Right.Claims {

        @Override
        public long from(long now) {
            return now;
        }

        @Override
        public long bound(@Nullable Lease held, long from, long now) {
            long millis = Duration.ofNanos(lease).toMillis();
            long unused = generators.stream()
                    .mapToLong(SnowflakeGenerator::unused)
                    .max()
                    .orElse(0);
            long skew = runner.header().orElseThrow().skew();
            return Math.min(Math.max(now, Math.max(from, unused)) + millis, now + millis + 2 * skew);
        }
    }

    /** From now on calls wait for {@code timeout}, unless they wait longer already. */
    void allowWait(Duration timeout) {
        lock.lock();
        try {
            patience = patience.compareTo(timeout) < 0 ? timeout : patience;
        } finally {
            lock.unlock();
        }
    }

    /** The generator's ids count for the bound. */
    void add(SnowflakeGenerator generator) {
        generators.add(generator);
    }

    Right right() {
        return right;
    }

    LeaseRunner runner() {
        return runner;
    }

    /**
     * Takes a fixed number, which others may have used without this lease.
     *
     * @param fields as in {@code data_centre=1 worker=7}
     * @param unused no window begins before
     * @param now when the former use had ended
     */
    void take(String fields, long unused, long now) {
        lock.lock();
        try {
            if (taken.add(fields)) {
                notBefore = Math.max(notBefore, unused);
                unrecordedUse = OptionalLong.of(Math.max(unrecordedUse.orElse(now), now));
                shown = show(shown.lease);
            }
        } finally {
            lock.unlock();
        }
    }

    private Shown show(@Nullable Lease lease) {
        if (lease == null) {
            return new Shown(null, NONE);
        }
        long from = Math.max(lease.from(), notBefore);
        return new Shown(lease, new Window(number(lease), from, Math.max(from, lease.bound())));
    }

    @SuppressWarnings("ReferenceEquality")
    private void record(Window window, Window before) {
        if (isStrict()) {
            return;
        }
        if (before == NONE || before.number() != window.number()) {
            LOG.log(Level.INFO, "Worker number {0} is leased: {1}", Long.toString(window.number()), runner.label());
        }
        WindowEvent event = new WindowEvent();
        if (event.shouldCommit()) {
            event.worker = window.number();
            event.from = window.from();
            event.until = window.until();
            event.store = runner.label();
            event.commit();
        }
    }

    private long number(Lease lease) {
        String name = lease.row().name();
        return only.isPresent()
                ? only.getAsLong()
                : name.equals(StoreHeader.STRICT) ? 0 : Long.parseLong(name.substring(name.lastIndexOf('/') + 1));
    }

    @Override
    public Window window() {
        return shown(right.current()).window;
    }

    @SuppressWarnings("ReferenceEquality")
    private Shown shown(@Nullable Lease lease) {
        Shown known = shown;
        return known.lease == lease ? known : renew(lease);
    }

    @SuppressWarnings("ReferenceEquality")
    private Shown renew(@Nullable Lease lease) {
        lock.lock();
        try {
            if (shown.lease != lease) {
                Window before = shown.window;
                shown = show(lease);
                record(shown.window, before);
            }
            return shown;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public OptionalLong unrecordedUse() {
        lock.lock();
        try {
            return unrecordedUse;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isStrict() {
        return lease > 0;
    }

    @Override
    @SuppressWarnings("ReferenceEquality")
    public boolean lasts(Window window) {
        Shown known = shown;
        return known.window == window && known.lease != null && runner.lasts(right, known.lease);
    }

    @Override
    public Duration patience() {
        return patience;
    }

    @Override
    public Window await(Window spent, Duration limit) {
        Lease lease = right.current();
        Window now = shown(lease).window;
        return now.equals(spent) ? shown(runner.await(right, lease, limit)).window : now;
    }

    @Override
    public Optional<WorkerStatistics> statistics(Instant now) {
        Lease held = right.shown();
        if (isStrict() || held == null) {
            return Optional.empty();
        }
        Optional<String> failure = runner.failure();
        Optional<Instant> until = only.isPresent() && failure.isEmpty()
                ? Optional.empty()
                : Optional.of(Instant.ofEpochMilli(held.bound()));
        return Optional.of(new WorkerStatistics(
                number(held), now, until, only.isPresent() ? Optional.empty() : runner.clockOffset(), failure));
    }

    @Override
    public Optional<TenureStatistics> tenure() {
        if (!isStrict()) {
            return Optional.empty();
        }
        Lease held = right.shown();
        boolean isActive = held != null && right.other() == null;
        return Optional.of(new TenureStatistics(
                isActive,
                isActive
                        ? Optional.of(owner)
                        : Optional.ofNullable(right.other()).map(LeaseProtocol::owner),
                isActive ? Optional.of(runner.left(right, held)) : Optional.empty(),
                right.takeovers(),
                runner.failure()));
    }
}

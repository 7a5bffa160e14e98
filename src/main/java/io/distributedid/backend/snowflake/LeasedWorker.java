package io.distributedid.backend.snowflake;

import io.distributedid.WorkerStatistics;
import io.distributedid.backend.snowflake.lease.Grant;
import io.distributedid.backend.snowflake.lease.Lease;
import io.distributedid.internal.layout.IdLayout;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A leased worker number, whose window a {@link Lease} renews. */
final class LeasedWorker implements Worker {

    private record Shown(Grant grant, Window window) {}

    private final Lease lease;

    /** The values of fixed fields that this process has taken. Guarded by this. */
    private final Set<String> taken = new HashSet<>();

    private volatile Shown shown;

    /** Guarded by this. */
    private long notBefore;

    /** When fixed fields were last taken. Guarded by this. */
    private OptionalLong unrecordedUse = OptionalLong.empty();

    LeasedWorker(Lease lease) {
        this.lease = lease;
        this.shown = show(lease.current(), 0);
    }

    private static Shown show(Grant grant, long notBefore) {
        long from = Math.max(grant.from(), notBefore);
        return new Shown(grant, new Window(grant.worker(), from, Math.max(from, grant.until())));
    }

    /**
     * Takes a fixed number, which others may have used without this lease.
     *
     * @param fields as in {@code data_centre=1 worker=7}
     * @param unused no window begins before
     * @param now when the former use had ended
     */
    synchronized void take(String fields, long unused, long now) {
        if (taken.add(fields)) {
            notBefore = Math.max(notBefore, unused);
            unrecordedUse = OptionalLong.of(Math.max(unrecordedUse.orElse(now), now));
            shown = show(shown.grant, notBefore);
        }
    }

    @Override
    public Window window() {
        return shown(lease.current()).window;
    }

    @SuppressWarnings("ReferenceEquality")
    private Shown shown(Grant grant) {
        Shown known = shown;
        return known.grant == grant ? known : renew(grant);
    }

    @SuppressWarnings("ReferenceEquality")
    private synchronized Shown renew(Grant grant) {
        if (shown.grant != grant) {
            shown = show(grant, notBefore);
        }
        return shown;
    }

    @Override
    public synchronized OptionalLong unrecordedUse() {
        return unrecordedUse;
    }

    @Override
    public Window await(Window spent, long time) {
        Grant grant = lease.current();
        Window now = shown(grant).window;
        return now.equals(spent) ? shown(lease.await(grant)).window : now;
    }

    /** The store has a record of the layout, written by the first process. */
    @Override
    public void requireLayout(String sequence, IdLayout layout) {
        RecordedLayout.require(sequence, layout, lease.record(sequence, layout.text()), lease.storeLabel());
    }

    @Override
    public Optional<String> storeToken() {
        return Optional.of(lease.storeToken());
    }

    @Override
    public WorkerStatistics statistics(Instant now) {
        return lease.statistics(now);
    }

    @Override
    public void release(long unused) {
        lease.release(unused);
    }

    @Override
    public void abandon() {
        lease.abandon();
    }
}

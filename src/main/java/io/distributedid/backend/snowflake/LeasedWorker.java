package io.distributedid.backend.snowflake;

import io.distributedid.WorkerStatistics;
import io.distributedid.backend.snowflake.lease.Grant;
import io.distributedid.backend.snowflake.lease.Lease;
import io.distributedid.internal.layout.IdLayout;
import java.time.Instant;
import java.util.Optional;

/** A leased worker number, whose window a {@link Lease} renews. */
final class LeasedWorker implements Worker {

    private record Shown(Grant grant, Window window) {}

    private final Lease lease;

    private final boolean startsAboveFormerUse;

    private volatile Shown shown;

    /** Guarded by this. */
    private long notBefore;

    /** @param startsAboveFormerUse whether every former user of the number has leased it */
    LeasedWorker(Lease lease, boolean startsAboveFormerUse) {
        this(lease, startsAboveFormerUse, 0);
    }

    /** @param notBefore the first id time that a window may have */
    LeasedWorker(Lease lease, boolean startsAboveFormerUse, long notBefore) {
        this.lease = lease;
        this.startsAboveFormerUse = startsAboveFormerUse;
        this.notBefore = notBefore;
        this.shown = show(lease.current(), notBefore);
    }

    private static Shown show(Grant grant, long notBefore) {
        long from = Math.max(grant.from(), notBefore);
        return new Shown(grant, new Window(grant.worker(), from, Math.max(from, grant.until())));
    }

    /** From now on no window begins before {@code unused}. */
    synchronized void beginAt(long unused) {
        notBefore = Math.max(notBefore, unused);
        shown = show(shown.grant, notBefore);
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
    public boolean startsAboveFormerUse() {
        return startsAboveFormerUse;
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

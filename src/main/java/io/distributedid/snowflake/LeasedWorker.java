package io.distributedid.snowflake;

import io.distributedid.WorkerStatistics;
import io.distributedid.snowflake.lease.Grant;
import io.distributedid.snowflake.lease.Lease;
import java.time.Instant;

/** A number that is leased, with a window that is renewed. */
final class LeasedWorker implements Worker {

    private record Shown(Grant grant, Window window) {}

    private final Lease lease;

    private volatile Shown shown;

    LeasedWorker(Lease lease) {
        this.lease = lease;
        this.shown = show(lease.current());
    }

    private static Shown show(Grant grant) {
        return new Shown(grant, new Window(grant.worker(), grant.from(), grant.until()));
    }

    @Override
    public Window window() {
        return shown(lease.current()).window;
    }

    @SuppressWarnings("ReferenceEquality")
    private Shown shown(Grant grant) {
        Shown known = shown;
        if (known.grant != grant) {
            known = show(grant);
            shown = known;
        }
        return known;
    }

    @Override
    public Window await(Window spent, long time) {
        Grant grant = lease.current();
        Window now = shown(grant).window;
        return now.equals(spent) ? shown(lease.await(grant)).window : now;
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

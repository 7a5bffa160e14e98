package io.distributedid.internal.failover;

import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.process.Pages;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a server of ids is in use, or left out since it failed. While it is left out, one caller at a time tries it,
 * after a back-off that doubles from half a second to ten seconds, until it answers. Thread-safe.
 */
public final class ServerPause {

    private static final long FIRST_PAUSE = Duration.ofMillis(500).toNanos();

    private static final long LAST_PAUSE = Duration.ofSeconds(10).toNanos();

    /** Between two trials while no other server is in use. */
    private static final long SHORT_PAUSE = Duration.ofMillis(10).toNanos();

    private record Absence(int failures, Exception last, long since, long until) {}

    private final String label;

    /** Shared by all connections to the server. */
    private final OutageLog outages;

    private final LongSupplier nanoTime;

    private final AtomicBoolean onTrial = new AtomicBoolean();

    private volatile @Nullable Absence absence;

    private volatile boolean closing;

    public ServerPause(String label, OutageLog outages, LongSupplier nanoTime) {
        this.label = label;
        this.outages = outages;
        this.nanoTime = nanoTime;
    }

    /** The log of the outages of one server. */
    public static OutageLog outages(LongSupplier nanoTime) {
        Logger log = System.getLogger(ServerPause.class.getName());
        return new OutageLog(log, nanoTime);
    }

    public String label() {
        return label;
    }

    /** The server is closed soon: from now on, its failures are ignored. */
    public void close() {
        closing = true;
    }

    public boolean isClosing() {
        return closing;
    }

    public boolean isInUse() {
        return absence == null;
    }

    /** Its last failure; null if it is in use. */
    public @Nullable Exception failure() {
        Absence seen = absence;
        return seen == null ? null : seen.last;
    }

    /**
     * Begins a trial, which ends with {@link #endTrial}.
     *
     * @param others whether others are in use: then the full back-off applies
     * @return whether the caller may ask the server now
     */
    @SuppressWarnings("ReferenceEquality")
    public boolean beginTrial(boolean others) {
        Absence seen = absence;
        if (seen == null || !isDue(seen, others) || !onTrial.compareAndSet(false, true)) {
            return false;
        }
        if (absence == seen) {
            return true;
        }
        // Another trial has ended since the first read.
        onTrial.set(false);
        return false;
    }

    private boolean isDue(Absence seen, boolean others) {
        long now = nanoTime.getAsLong();
        return now - seen.until >= 0 || (!others && now - seen.since >= SHORT_PAUSE);
    }

    /** Whether the back-off is over. */
    public boolean isDue() {
        Absence seen = absence;
        return seen != null && isDue(seen, true);
    }

    public void endTrial() {
        onTrial.set(false);
    }

    public void succeeded() {
        if (absence != null) {
            absence = null;
        }
        outages.succeeded(this, () -> "A server is used again: server=" + label);
    }

    /**
     * Leaves it out.
     *
     * @param trial whether it was left out already, and tried. Only a trial makes the pause longer, however many calls
     *     were under way when the server failed
     * @return whether it was in use until now
     */
    public boolean failed(Exception e, boolean trial) {
        Absence before = absence;
        if (before != null && !trial) {
            return false;
        }
        int failures = before == null ? 1 : before.failures + 1;
        long pause = Math.min(LAST_PAUSE, FIRST_PAUSE << Math.min(failures - 1, 10));
        long now = nanoTime.getAsLong();
        absence = new Absence(failures, e, now, now + pause);
        outages.failed(
                this,
                "A server is left out for now, and tried again in the background: server=" + label,
                e,
                Pages.onCall("counter-silent"));
        return before == null;
    }
}

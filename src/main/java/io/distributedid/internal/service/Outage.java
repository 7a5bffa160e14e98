package io.distributedid.internal.service;

import io.distributedid.IdUnavailableException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Since when requests for a sequence fail. Each sequence has its own, since only the service knows which of them share
 * a database. It ends with the next success or refusal, and is forgotten if nothing was asked for 5 s after a failure.
 * Thread-safe.
 */
public final class Outage {

    private static final long QUIET_NANOS = Duration.ofSeconds(5).toNanos();

    private record Failing(long since, long last, IdUnavailableException failure) {}

    private volatile @Nullable Failing failing;

    /**
     * The servers were asked.
     *
     * @param began when the first one was asked
     * @param failure null if one gave what was asked for
     */
    synchronized void ended(long began, long now, @Nullable Throwable failure) {
        Failing known = failing;
        if (failure instanceof IdUnavailableException unavailable) {
            boolean isOld = known != null && began - known.last <= QUIET_NANOS;
            failing = new Failing(isOld ? known.since : now, now, unavailable);
        } else if (known != null) {
            failing = null;
        }
    }

    /** Whether it has lasted for longer than a call waits. */
    public boolean isLongerThan(Duration timeout, long now) {
        Failing known = failing;
        return known != null && now - known.since > timeout.toNanos();
    }

    /** Why nothing is given; empty if there is no outage. */
    public Optional<IdUnavailableException> failure() {
        return Optional.ofNullable(failing).map(Failing::failure);
    }
}

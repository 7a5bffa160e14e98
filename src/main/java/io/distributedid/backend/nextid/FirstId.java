package io.distributedid.backend.nextid;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.internal.layout.ExistingTime;
import io.distributedid.spi.Sequence;
import java.time.Duration;
import java.time.Instant;

/**
 * The id that a function made at the start, beside those that exist. The hardened form makes ascending ids, so that one
 * which exists lies below, unless the sequence was lost or set back; in Instagram's form the server's clock must have
 * passed it. Rows that others add meanwhile lie above the first id by the time that has passed.
 *
 * @param id that the function made
 * @param nanos when, in the time of {@link System#nanoTime}
 */
record FirstId(long id, long nanos) {

    private static final Duration SLACK = Duration.ofSeconds(1);

    static FirstId now(long id) {
        return new FirstId(id, System.nanoTime());
    }

    /**
     * Returns when ids from now on lie above one that exists.
     *
     * @throws IdConfigurationException if they would take too long
     */
    void requireAbove(Sequence sequence, ExistingTime existing, boolean raise) {
        if (existing.id() <= id) {
            return;
        }
        Instant made = existing.layout().time().instant(id);
        Duration passed = Duration.ofNanos(System.nanoTime() - nanos);
        Duration ahead = Duration.between(made, existing.time()).minus(passed);
        Duration longest = raise ? BlockPolicy.of(sequence.settings()).timeout() : SLACK;
        if (!existing.fits() || ahead.compareTo(longest) > 0) {
            throw new IdConfigurationException(
                    "The function makes ids below one that exists, and could make ids again: " + existing
                            + ", next id=" + id + " time=" + made
                            + ". The server's clock is behind: set it right, and start then. Or the function's sequence was"
                            + " lost or set back: set it to its former value. Or the id was made with another layout, epoch or"
                            + " function: use that. If it was imported, allow it with @DistributedId(assigned = true), or set "
                            + DistributedIdSettings.EXISTING_IDS + "=ignore");
        }
        await(ahead.plus(existing.layout().time().unit()), existing);
    }

    private static void await(Duration wait, ExistingTime existing) {
        try {
            Thread.sleep(Math.max(0, wait.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while waiting for the clock to pass an id: " + existing, e);
        }
    }
}

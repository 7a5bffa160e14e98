package io.distributedid.backend.nextid;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.internal.layout.ExistingTime;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.Sequence;
import java.time.Duration;
import java.time.Instant;

/**
 * The id that a function made when the sequence was opened, for the comparison with existing ids. In the hardened form
 * an existing id lies below it, unless the sequence was lost or set back. In Instagram's form the server's clock must
 * have passed the existing id. Rows that others have added since then may lie above the first id by the time that has
 * passed.
 *
 * @param nanos when the function made it, by {@link System#nanoTime}
 */
record FirstId(long id, long nanos) {

    private static final Duration SLACK = Duration.ofSeconds(1);

    static FirstId now(long id) {
        return new FirstId(id, System.nanoTime());
    }

    /** Waits until new ids lie above an existing one. Fails at once if that would take too long. */
    void requireAbove(Sequence sequence, ExistingTime existing, boolean raise) {
        if (existing.id() <= id) {
            return;
        }
        Instant made = existing.layout().time().instant(id);
        Duration passed = Duration.ofNanos(System.nanoTime() - nanos);
        Duration ahead = Duration.between(made, existing.time()).minus(passed);
        Duration longest = raise ? BlockPolicy.of(sequence.settings()).timeout() : SLACK;
        if (!existing.fits() || ahead.compareTo(longest) > 0) {
            throw new IdConfigurationException("The function makes ids below an existing one, and could repeat ids: "
                    + existing + ", next id=" + id + " time=" + made
                    + ". If the server's clock is behind, correct it and start again. If the function's sequence was"
                    + " lost or set back, set it to its former value. If the id was made with another layout, epoch or"
                    + " function, configure that one. If it was imported, allow it with @DistributedId(assigned ="
                    + " true), or set distributedid.existing_ids=ignore" + Pages.onCall("function-back"));
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

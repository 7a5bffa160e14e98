package io.distributedid.server;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.keyed.KeyedNumbers;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Whether a sequence gave numbers at last. Thread-safe. */
final class KeyedHealth {

    private static final Logger LOG = System.getLogger(KeyedHealth.class.getName());

    /** A key, of which no number is taken. */
    private static final String PROBE = "0";

    private final KeyedNumbers numbers;

    private final Failures failures;

    private volatile String reason = "";

    KeyedHealth(KeyedNumbers numbers, Failures failures) {
        this.numbers = numbers;
        this.failures = failures;
    }

    boolean isWell() {
        return reason.isEmpty();
    }

    /** Why there was no number; empty if there was one. */
    String reason() {
        return reason;
    }

    void answered() {
        if (!isWell()) {
            reason = "";
        }
    }

    /** @param problem not one of the key alone */
    void failed(DistributedIdException problem) {
        reason = failures.message(problem);
    }

    /**
     * Reads a key. May wait.
     *
     * @throws IdUnavailableException if there is no answer
     * @throws IdConfigurationException if the sequence can't be used, for example because it has lost its rows
     */
    void look() {
        try {
            long unused = numbers.current(PROBE);
            answered();
        } catch (IdStandbyException e) {
            // Another server has this key, and this one knows which.
            answered();
        } catch (IdUnavailableException | IdConfigurationException e) {
            failed(e);
            throw e;
        }
    }

    /** As {@link #look}, if there was no number. */
    void lookAgain() {
        if (isWell()) {
            return;
        }
        try {
            look();
        } catch (DistributedIdException e) {
            LOG.log(Level.DEBUG, "A key still has no number", e);
        }
    }
}

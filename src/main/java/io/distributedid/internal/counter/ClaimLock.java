package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The first lock of each step of an operator's command: a repair or a retirement. A step is a transaction under the
 * exclusive lock of the claim, and is made only if the whole claim is as this run of the command has last seen or
 * written it. So of two commands that run at once, at most one goes on.
 */
public final class ClaimLock {

    private ClaimLock() {}

    /**
     * Locks the claim and compares it.
     *
     * @param known the claim as this run has last seen or written it; empty if there was none
     * @param command for the message
     * @param where for the message
     * @throws IdConfigurationException if it is another one now
     */
    public static void require(RecordStore record, Optional<NumberingRecord> known, String command, String where)
            throws SQLException {
        if (!record.lockClaim(true).equals(known)) {
            throw new IdConfigurationException("The claim has changed during " + command + ": " + where
                    + ". Does another repair or retirement run, or is a server listed under two addresses?"
                    + " Wait until the other one has ended, and repeat this one");
        }
    }
}

package io.distributedid.internal.counter;

import io.distributedid.internal.ledger.Version;

/**
 * The row of the ledger that belongs to a counter, on the same server. Its version is the fence: each draw compares it
 * in its own transaction. Its number is the memory: each draw writes its last id there.
 *
 * @param version of its last change; draws do not change it
 * @param isLost whether somebody has marked it as one whose counter lost ids; nothing is drawn then
 * @param number the last id that was drawn, or what the counter was raised to; never falls
 * @param identity of the server and the schema where it was used
 * @param era of the header when it was written
 * @param command the id of the operator's command that has closed it; empty if it is open; {@link #NEW}
 */
public record CounterRow(Version version, boolean isLost, long number, String identity, long era, String command) {

    /** Instead of an id: the row was created, and is opened once the other servers note that. */
    static final String NEW = "new";

    private static final int RADIX = 36;

    private static final int DIGITS = 10;

    public boolean isOpen() {
        return command.isEmpty();
    }

    boolean isNew() {
        return command.equals(NEW);
    }

    /** What other servers note of this new row: lower than all ids, and another number for each new row. */
    long note() {
        String random = version.random();
        return -1 - Long.parseLong(random.substring(0, Math.min(DIGITS, random.length())), RADIX);
    }
}

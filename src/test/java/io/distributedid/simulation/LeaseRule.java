package io.distributedid.simulation;

import java.util.List;

/** Why a store of leases may refuse: parts of messages. A run allows a rule when it does what the rule is about. */
enum LeaseRule {
    /** Another process has the right. */
    STANDBY("This process is on standby"),

    /** All worker numbers are taken. */
    NONE_FREE("All worker numbers are taken", "The worker number is taken"),

    /** The store did not answer. */
    AWAY("Connection refused", "Connection reset", "No answer in time", "No answer within"),

    CLOSED_HERE("The source of ids is closed"),

    /** Rows were lost: no right before the longest window ever and two skews have passed. */
    LOST("The store has lost leases at"),

    /** An empty store is refused by everybody. */
    EMPTY("The store of leases was never used, or was emptied"),

    /** Another store, also an emptied one: refused by those who know the right one. */
    OTHER_STORE("The store of leases is not the same as before", "The application's database remembers another store"),

    /** An operator's command is under way, or was cut off. */
    COMMAND("A command has closed the store", "The store of leases is the target of a move"),

    MOVED("The leases have moved"),

    /** A process that ran while the layout was changed. */
    OTHER_LAYOUT("The layout of a sequence was changed while this process ran"),

    /** Clocks are compared with the skew. An answer may take long. */
    CLOCK("The local clock must be near the store's"),

    BURNT("All worker numbers are used up"),

    BUSY("Other processes were faster, 40 times");

    private final List<String> parts;

    LeaseRule(String... parts) {
        this.parts = List.of(parts);
    }

    boolean isReasonOf(String message) {
        return parts.stream().anyMatch(message::contains);
    }
}

package io.distributedid.internal.counter;

/**
 * Why a server is not used for a counter, or a command not carried out.
 *
 * @param kind says what {@code seen} and {@code expected} are
 * @param place of the server in the list, from 0; of a command: in its {@link RealignCommand#servers}
 * @param seen what is there; empty if the kind tells all
 * @param expected what should be there; empty if the kind tells all
 */
public record Refusal(Kind kind, int place, String seen, String expected) {

    /** What is wrong. In brackets: what is seen, and what is expected. */
    public enum Kind {
        /** The server did not answer. */
        SILENT,
        /** A first use, or a new counter, needs all servers; or somebody has begun it, and did not end it yet. */
        NOT_ALL_ANSWER,
        /** [numbering] The server numbers otherwise than its header says, [numbering]. */
        NUMBERING,
        /** [numbering] Another server of the list gives the same numbers, [its numbering]. */
        OVERLAP,
        /** [last id] The counter has an id that the server never gives by its [numbering]. */
        REMAINDER,
        /** [identity] Another member of the list, [members of the list], has the same: nothing tells them apart. */
        SAME,
        /** [members of the list] The table belongs to a list of other servers, [members by the header]. */
        MEMBERS,
        /** [token] Another id space than this process, or the first server of the list that has one, has: [token]. */
        TOKEN,
        /** [id of the command] An operator's command has closed the table, and did not open it. */
        CLOSED,
        /** [target] The table has ended: its ids come from another place, [token of that]. */
        MOVED,
        /** [era] A realignment has left the server behind: the others are at [era]. */
        LEFT_BEHIND,
        /** The ledger has lost the header of the table. */
        HEADER_LOST,
        /** [last id, or missing] The counter has lost ids up to [known id], and no other server tells how many. */
        LOST_ALONE,
        /** [last id] The counter lies further than [id] ahead of all that is known: it was changed by hand. */
        TOO_FAR,
        /** Some counters were used before the ledger existed, others not: only a move divides them. */
        USED,
        /** [identity] Another server has taken the place of [identity], and {@code failover=refuse}. */
        REPLACED,
        /** [last id] The counter would give an id again that exists: [id]. */
        EXISTING,
        /** [id] The counter must be raised above this, and its column has room for a raise above [id] at most. */
        NO_ROOM,
        /** The operator says that the list has lost a server, but a repair is enough. */
        NOT_LOST,
        /** [list] The table is, or was, closed for another target than the command's, or is in use. */
        TARGET,
        /** [id of the command] Another command, or a client, was faster: repeat the command. */
        BEATEN
    }

    /** With a kind that tells all. */
    static Refusal of(Kind kind, int place) {
        return new Refusal(kind, place, "", "");
    }

    static Refusal of(Kind kind, int place, Object seen, Object expected) {
        return new Refusal(kind, place, seen.toString(), expected.toString());
    }

    /** Whether it ends by itself: nobody needs to do anything but wait. */
    public boolean isPassing() {
        return kind == Kind.SILENT || isFirstUse();
    }

    /** Whether it may be good in a moment. */
    boolean isFirstUse() {
        return kind == Kind.NOT_ALL_ANSWER;
    }
}

package io.distributedid.simulation;

import java.util.List;

/**
 * Why ids may be refused: a part of the message, and the sentence of counters.md that says so. A run allows a rule when
 * it does what the sentence is about.
 */
enum Rule {
    /** A row is deleted; a table is truncated or dropped; ... A server that stands alone is refused. */
    ALONE_AND_BACK("A counter went back and may give ids again"),

    /** An empty server stands in the place of one that gave ids: refuse it. */
    EMPTY_SERVER(
            "A server has lost its counters, or another has taken its place",
            "An empty server is listed beside one that gave ids"),

    /** The list of servers grows, shrinks or is in another order: refuse, and write nothing. */
    OTHER_LIST(
            "Clients must number the servers alike",
            "An empty server is listed beside one that gave ids",
            "The servers must belong to one id space",
            "A server has lost its counters, or another has taken its place",
            "has an id that its server never gives",
            "The counters belong to another list of servers"),

    /** A token, equal on all servers of an id space. */
    OTHER_SPACE("The servers must belong to one id space"),

    /** If a sequence takes its ids from another table or server, the start is refused. */
    OTHER_PLACE("A sequence takes its ids from a different place than before"),

    /** A move is cut off: give no id from the servers that it fenced. A repair fences, too. */
    OPERATOR_AT_WORK(
            "The counters were moved away", "The counters have ended", "An operator's command has closed the counters"),

    /** An open row with an older era was left behind: refused, never raised. */
    LEFT_BEHIND("A move or a repair has left a server behind"),

    /** A counter lies more than 1,000 x max_distance ahead of the others: refuse that server. */
    FAR_AHEAD("is so far ahead"),

    /** A column is at its end: use the other servers. */
    COLUMN_END("no ids are left above", "A counter can't be raised that far"),

    /** A replica takes its place. failover=refuse: refuse it. */
    REPLACED("A server was replaced, and may lack the last ids");

    private final List<String> parts;

    Rule(String... parts) {
        this.parts = List.of(parts);
    }

    boolean isReasonOf(String message) {
        return parts.stream().anyMatch(message::contains);
    }
}

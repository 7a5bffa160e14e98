package io.distributedid.internal.block;

/**
 * Counts the callers of a buffer in strict mode, where an id is only for a caller that came before the id was asked
 * for. So it is larger than all ids that the same server had given before the call. Guarded by the buffer's lock.
 */
final class StrictCallers {

    /** How often an id was asked for. */
    private long requests;

    private int present;

    /** How many of those that are present came before the last request. */
    private int entitled;

    /** A caller comes. Returns what the other methods ask for. */
    long come() {
        present++;
        return requests;
    }

    /** All callers that are present now may have the next id. */
    void ask() {
        requests++;
        entitled = present;
    }

    /** Whether this caller may have the id that was asked for last. */
    boolean isEntitled(long came) {
        return came < requests;
    }

    boolean isAnyEntitled() {
        return entitled > 0;
    }

    /** A caller goes, with or without an id. */
    void go(long came) {
        present--;
        if (isEntitled(came)) {
            entitled--;
        }
    }
}

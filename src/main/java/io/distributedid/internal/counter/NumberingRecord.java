package io.distributedid.internal.counter;

/**
 * The claim of a table of counters, in its server's {@link RecordStore}: the numbering, and whether ids may be drawn.
 *
 * @param generation grows with each change of the claim
 * @param numbering the server's part of the numbers
 * @param state whether counters may be drawn from
 * @param token random; equal on all servers of an id space, and only there
 */
public record NumberingRecord(long generation, Numbering numbering, State state, String token) {

    /** The next claim, of the same id space and under a new generation. */
    public NumberingRecord next(Numbering nextNumbering, State nextState) {
        return new NumberingRecord(generation + 1, nextNumbering, nextState, token);
    }

    public enum State {
        /** Not all servers have a claim yet. */
        NEW,
        /** Ids may be drawn. */
        OPEN,
        /** A move has begun: no id may be drawn until it has ended. */
        MOVING,
        /** A move has brought all counters here, and has not ended. */
        READY,
        /** The counters live elsewhere now. */
        RETIRED
    }
}

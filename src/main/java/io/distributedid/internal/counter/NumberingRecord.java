package io.distributedid.internal.counter;

/**
 * What a server's {@link RecordTable} says of a table of counters: who may count in it, and how.
 *
 * @param generation grows with each change of the claim
 * @param numbering the server's part of the numbers
 * @param state whether counters may be drawn from
 * @param token random, equal on all servers of an id space: another token is another id space
 */
public record NumberingRecord(long generation, Numbering numbering, State state, String token) {

    /**
     * The claim that takes this one's place.
     *
     * @param nextNumbering the server's part of the numbers
     * @param nextState what may be done with the table
     * @return of the same id space, under a new generation
     */
    public NumberingRecord next(Numbering nextNumbering, State nextState) {
        return new NumberingRecord(generation + 1, nextNumbering, nextState, token);
    }

    /** What may be done with the table. */
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

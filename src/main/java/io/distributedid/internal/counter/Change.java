package io.distributedid.internal.counter;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A change of one server's counter or record. It is made only if the server is still as it was {@link #seen}.
 *
 * @param kind what to do
 * @param seen the server as it was when the change was planned
 * @param value an id, see {@link Kind}
 * @param generation of the counter, for {@link Kind#RAISE} and {@link Kind#WITNESS}
 * @param token of the id space, for {@link Kind#CLAIM}
 * @param peer the offset of another server, for {@link Kind#WITNESS}; else the largest offset, for a new record
 * @param marks the offsets of servers on which the counter is not created yet, for a new record
 * @param notes of the other servers, by offset, for a {@link Kind#RAISE} that they will follow
 * @param reason for the log; empty if the change is not logged
 */
record Change(
        Kind kind,
        Seen seen,
        long value,
        long generation,
        String token,
        long peer,
        Set<Long> marks,
        Map<Long, Witness> notes,
        String reason) {

    enum Kind {
        /** Write the claim of a table. */
        CLAIM,
        /** Open a table that all servers have claimed. */
        OPEN,
        /** Create the counter; its next ids lie above {@code value}. */
        CREATE,
        /** The counter was created on the peer: {@code value} is its last id. */
        WITNESS,
        /** Raise the counter above {@code value}, under a new generation; 0 accepts it as it is. */
        RAISE,
        /** Never hand back an id at or below {@code value}. */
        FLOOR
    }

    static Change claim(Seen seen, String token) {
        return new Change(Kind.CLAIM, seen, 0, 0, token, 0, Set.of(), Map.of(), "");
    }

    static Change open(Seen seen) {
        return new Change(Kind.OPEN, seen, 0, 0, "", 0, Set.of(), Map.of(), "");
    }

    static Change create(Seen seen, long above, long lastOffset, Set<Long> marks) {
        return new Change(Kind.CREATE, seen, above, 0, "", lastOffset, marks, Map.of(), "");
    }

    static Change witness(Seen seen, long peer, Seen created) {
        return new Change(
                Kind.WITNESS, seen, created.lastOrZero(), created.generation(), "", peer, Set.of(), Map.of(), "");
    }

    /** Accepts a counter as it is, under a new generation. */
    static Change accept(Seen seen, long generation, String reason) {
        return new Change(Kind.RAISE, seen, 0, generation, "", 0, Set.of(), Map.of(), reason);
    }

    /** Raises a counter that lost its ids, or may have. Its record may be missing: then it is written anew. */
    static Change recover(
            Seen seen,
            long above,
            long generation,
            long lastOffset,
            Set<Long> marks,
            Map<Long, Witness> notes,
            String reason) {
        return new Change(Kind.RAISE, seen, above, generation, "", lastOffset, marks, notes, reason);
    }

    /** Raises a counter above a minimum. All servers are raised, one after the other. */
    static Change raise(Seen seen, long above, long generation, Map<Long, Witness> notes) {
        return new Change(Kind.RAISE, seen, above, generation, "", 0, Set.of(), notes, "");
    }

    static Change floor(Seen seen, long floor) {
        return new Change(Kind.FLOOR, seen, floor, 0, "", 0, Set.of(), Map.of(), "");
    }

    /** Whether it makes a server ready to be judged: its claim, and its counter. */
    boolean isPreparation() {
        return kind != Kind.RAISE && kind != Kind.FLOOR;
    }

    /** What a look at the server will find after a change that {@link #isPreparation}, made after those before it. */
    Seen after(Seen before) {
        return switch (kind) {
            case CLAIM -> before.with(new NumberingRecord(1, before.numbering(), NumberingRecord.State.NEW, token));
            case OPEN -> {
                NumberingRecord claim = before.claim().orElseThrow();
                yield before.with(claim.next(claim.numbering(), NumberingRecord.State.OPEN));
            }
            case CREATE -> {
                Map<Long, Witness> witnesses = new TreeMap<>();
                marks.forEach(offset -> witnesses.put(offset, new Witness(0, Witness.NOT_CREATED)));
                CounterRecord record = new CounterRecord(1, 0, before.identity());
                long last =
                        before.last().orElse(value == 0 ? 0 : before.numbering().atLeast(value));
                yield before.with(Optional.of(record), witnesses, last);
            }
            case WITNESS -> {
                Map<Long, Witness> witnesses = new TreeMap<>(before.witnesses());
                witnesses.put(peer, new Witness(generation, value));
                yield before.with(before.counter(), witnesses, before.lastOrZero());
            }
            case RAISE, FLOOR -> throw new IllegalStateException("No preparation: kind=" + kind);
        };
    }

    /** Whether it raises a counter above a minimum that it has not reached yet. */
    boolean isMinimum() {
        return kind == Kind.RAISE && value > 0 && reason.isEmpty();
    }

    /** Whether it raises a counter that lost its ids, or may have. */
    boolean isRecovery() {
        return kind == Kind.RAISE && value > 0 && !reason.isEmpty();
    }
}

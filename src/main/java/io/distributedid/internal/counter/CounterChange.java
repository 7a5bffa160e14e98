package io.distributedid.internal.counter;

import io.distributedid.spi.Block;
import java.sql.SQLException;

/**
 * Makes the {@link Change}s of a plan, and hands ids back. Each is a transaction that locks the record's row, compares
 * it with what was seen, and only then touches the counter's row:
 *
 * <pre>
 * SELECT generation, ... FROM distributedid_record WHERE counter = 'sequence/photos' AND server = 0 FOR UPDATE;
 * UPDATE sequence SET id = ... WHERE name = 'photos' AND id &lt; ...;
 * UPDATE distributedid_record SET generation = generation + 1, last_id = GREATEST(last_id, floor) WHERE ...;
 * UPDATE distributedid_record SET ... how far the other servers have come, before they are raised too;
 * </pre>
 */
final class CounterChange {

    private CounterChange() {}

    /** Returns false, and changes nothing, if the record is no longer as it was seen. */
    static boolean make(StoredCounter counter, Change change) throws SQLException {
        RecordStore table = counter.record();
        String key = table.key(counter.storedName());
        Seen seen = change.seen();
        return switch (change.kind()) {
            case CLAIM -> {
                table.insertClaim(new NumberingRecord(1, seen.numbering(), NumberingRecord.State.NEW, change.token()));
                yield true;
            }
            case OPEN -> {
                NumberingRecord claim = seen.claim().orElseThrow();
                boolean same = table.lockClaim(true).equals(seen.claim());
                if (same) {
                    table.updateClaim(claim.next(claim.numbering(), NumberingRecord.State.OPEN));
                }
                yield same;
            }
            case CREATE -> create(counter, key, change);
            case WITNESS -> {
                table.created(key, change.peer(), new Witness(change.generation(), change.value()));
                yield true;
            }
            case RAISE -> {
                boolean same = isAsSeen(table, key, seen);
                if (same) {
                    raise(counter, key, change);
                }
                yield same;
            }
            case FLOOR -> {
                boolean same = isAsSeen(table, key, seen);
                if (same) {
                    CounterRecord old = seen.counter().orElseThrow();
                    table.updateCounter(key, new CounterRecord(old.generation(), change.value(), old.identity()));
                }
                yield same;
            }
        };
    }

    private static boolean isAsSeen(RecordStore table, String key, Seen seen) throws SQLException {
        return table.lockClaim(false).equals(seen.claim())
                && table.lockCounter(key).map(CounterRecord::generation).orElse(0L) == seen.generation();
    }

    private static boolean create(StoredCounter counter, String key, Change change) throws SQLException {
        RecordStore table = counter.record();
        Seen seen = change.seen();
        if (!isAsSeen(table, key, seen)) {
            return false;
        }
        table.insertCounter(key, new CounterRecord(1, 0, seen.identity()));
        if (counter.last().isEmpty()) {
            counter.raise(change.value());
        }
        putWitnesses(table, key, change);
        return true;
    }

    /** The part of a new record that tells of all servers, the peers and this one. */
    private static void putWitnesses(RecordStore table, String key, Change change) throws SQLException {
        long increment = change.seen().numbering().increment();
        for (long offset = 1; offset <= increment && offset <= change.peer(); offset++) {
            long last = change.marks().contains(offset) ? Witness.NOT_CREATED : 0;
            table.putWitness(key, offset, change.notes().getOrDefault(offset, new Witness(0, last)));
        }
    }

    /** The record of a counter after a {@link Change.Kind#RAISE}, unless its floor is higher already. */
    static CounterRecord raised(Change change) {
        Seen seen = change.seen();
        long floor = Math.max(change.value(), seen.lastOrZero());
        return new CounterRecord(change.generation(), floor, seen.identity());
    }

    private static void raise(StoredCounter counter, String key, Change change) throws SQLException {
        RecordStore table = counter.record();
        if (change.value() > 0 || counter.last().isEmpty()) {
            counter.raise(change.value());
        }
        CounterRecord raised = raised(change);
        if (change.seen().counter().isEmpty()) {
            table.insertCounter(key, raised);
            putWitnesses(table, key, change);
            return;
        }
        table.updateCounter(key, raised);
        if (!change.notes().isEmpty()) {
            table.write(new WitnessNote(table.table(), key, change.notes()));
        }
    }

    /** Returns whether the ids were handed back. */
    static boolean giveBack(StoredCounter counter, Return back) throws SQLException {
        RecordStore table = counter.record();
        String key = table.key(counter.storedName());
        if (!back.isFor(table.lockClaim(false))) {
            return false;
        }
        CounterRecord held = table.lockCounter(key).orElse(null);
        if (held == null || held.generation() != back.generation()) {
            return false;
        }
        Block rest = back.ids();
        if (rest.first() - rest.step() < held.floor() || !counter.giveBack(rest)) {
            return false;
        }
        table.updateCounter(key, new CounterRecord(back.generation() + 1, held.floor(), held.identity()));
        return true;
    }
}

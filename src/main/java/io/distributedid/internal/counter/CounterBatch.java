package io.distributedid.internal.counter;

import static java.util.Objects.requireNonNull;

import io.distributedid.internal.jdbc.SqlErrors;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reads and changes several counters of one table on one connection, in a number of trips that does not grow with them.
 * Does only what is usual; all else is left to {@link CounterServer#look} and {@link CounterChange}.
 *
 * <pre>
 * SELECT ... FROM distributedid_record WHERE counter IN ('sequence', 'sequence/photos', 'sequence/users');
 * SELECT name, id FROM sequence WHERE name IN ('photos', 'users');
 * SELECT ... FROM distributedid_record WHERE counter IN ('sequence', 'sequence/photos', 'sequence/users');
 * </pre>
 *
 * <p>A counter whose record is not the same before and after is left out. Counters are created in one transaction:
 *
 * <pre>
 * SELECT generation FROM distributedid_record WHERE counter = 'sequence' AND server = 0 LOCK IN SHARE MODE;
 * INSERT INTO distributedid_record ... VALUES ('sequence/photos', 0, ...), ('sequence/photos', 2, ...), ...;
 * INSERT INTO sequence (name, id) VALUES ('photos', 0), ('users', 0);
 * </pre>
 *
 * <p>Counters are raised in one transaction, in the order of the single raise, see {@link CounterChange}:
 *
 * <pre>
 * SELECT generation FROM distributedid_record WHERE counter = 'sequence' AND server = 0 LOCK IN SHARE MODE;
 * SELECT counter, generation FROM distributedid_record WHERE server = 0 AND counter IN (...) FOR UPDATE;
 * UPDATE sequence SET id = CASE WHEN name = 'photos' AND id &lt; 500 THEN 500 ... END WHERE name IN (...);
 * UPDATE distributedid_record SET generation = CASE ... END, last_id = CASE ... END WHERE server = 0 AND ...;
 * UPDATE distributedid_record SET generation = CASE ... END, last_id = CASE ... END WHERE server = 2 AND ...;
 * </pre>
 *
 * <p>The INSERTs compare and set: they fail if another process has created one of the counters, and then none is.
 */
final class CounterBatch<C extends CounterKey> {

    private final CounterSession<C> session;

    private final RecordTable table;

    private final RecordBatch record;

    private CounterBatch(CounterSession<C> session, RecordTable table) {
        this.session = session;
        this.table = table;
        this.record = new RecordBatch(session.connection(), table);
    }

    /** Looks at counters of one table. Leaves out those that must be looked at one by one. */
    static <C extends CounterKey> Map<C, Seen> look(int place, String label, CounterSession<C> session, List<C> all)
            throws SQLException {
        Map<C, Seen> seen = new LinkedHashMap<>();
        RecordTable table = session.open(all.get(0)).record();
        if (table.isDenied()) {
            return seen;
        }
        List<String> keys = all.stream().map(each -> table.key(each.rowName())).toList();
        Map<String, RecordTable.Rows> before = table.read(keys);
        Map<C, OptionalLong> last = session.lastTogether(all);
        Map<String, RecordTable.Rows> after = table.read(keys);
        for (Map.Entry<C, OptionalLong> each : last.entrySet()) {
            StoredCounter stored = session.open(each.getKey());
            String key = table.key(each.getKey().rowName());
            RecordTable.Rows rows = before.getOrDefault(key, RecordTable.Rows.NONE);
            RecordTable.Rows later = after.getOrDefault(key, RecordTable.Rows.NONE);
            if (rows.counter().equals(later.counter())) {
                seen.put(
                        each.getKey(),
                        new Seen(
                                place,
                                label,
                                session.numbering(),
                                stored.identity(),
                                true,
                                rows.claim(),
                                rows.counter(),
                                rows.witnesses(),
                                each.getValue(),
                                stored.slack(),
                                session));
            }
        }
        return seen;
    }

    /** Whether {@link #make} can make a change together with others. */
    static boolean isUsual(Change change) {
        return switch (change.kind()) {
            case CREATE -> change.seen().last().isEmpty();
            case WITNESS, FLOOR -> true;
            case RAISE ->
                change.isMinimum()
                        && change.seen().counter().isPresent()
                        && change.seen().last().isPresent()
                        && change.seen().session() instanceof CounterSession<?> session
                        && session.raisesTogether();
            case CLAIM, OPEN -> false;
        };
    }

    /** Makes {@link #isUsual usual} changes of counters of one table. Returns the counters whose change was made. */
    static <C extends CounterKey> Set<C> make(CounterSession<C> session, Map<C, Change> changes) throws SQLException {
        Map<String, C> counters = new TreeMap<>();
        RecordTable table = null;
        for (Map.Entry<C, Change> each : changes.entrySet()) {
            if (each.getValue().seen().isOn(session)) {
                table = session.open(each.getKey()).record();
                counters.put(table.key(each.getKey().rowName()), each.getKey());
            }
        }
        if (table == null || table.isDenied()) {
            return Set.of();
        }
        CounterBatch<C> batch = new CounterBatch<>(session, table);
        try {
            return Transactions.run(session.connection(), () -> batch.make(counters, changes));
        } catch (SQLException e) {
            if (SqlErrors.isDuplicateKey(e)) {
                return Set.of();
            }
            throw e;
        }
    }

    /** The order of locks is that of the keys, in all processes. */
    private Set<C> make(Map<String, C> counters, Map<C, Change> changes) throws SQLException {
        long claim = table.lock(table.claimKey(), false);
        Map<Change.Kind, Map<String, Change>> byKind = new TreeMap<>();
        counters.forEach((key, counter) -> {
            Change change = requireNonNull(changes.get(counter));
            Optional<Long> seen = change.seen().claim().map(NumberingRecord::generation);
            if (seen.equals(Optional.of(claim))) {
                byKind.computeIfAbsent(change.kind(), kind -> new TreeMap<>()).put(key, change);
            }
        });
        Set<String> made = new TreeSet<>();
        for (Map.Entry<Change.Kind, Map<String, Change>> each : byKind.entrySet()) {
            made.addAll(
                    switch (each.getKey()) {
                        case CREATE -> create(each.getValue(), counters);
                        case WITNESS -> witness(each.getValue());
                        case FLOOR -> floor(each.getValue());
                        case RAISE -> raise(each.getValue(), counters);
                        case CLAIM, OPEN -> Set.of();
                    });
        }
        return made.stream().map(counters::get).collect(Collectors.toSet());
    }

    private Set<String> create(Map<String, Change> changes, Map<String, C> counters) throws SQLException {
        List<RecordBatch.Row> rows = new ArrayList<>();
        Map<C, Long> above = new LinkedHashMap<>();
        changes.forEach((key, change) -> {
            rows.add(new RecordBatch.Row(key, 0, 1, 0, change.seen().identity()));
            Numbering numbering = change.seen().numbering();
            for (long offset = 1; offset <= numbering.increment() && offset <= change.peer(); offset++) {
                long last = change.marks().contains(offset) ? Witness.NOT_CREATED : 0;
                rows.add(new RecordBatch.Row(key, offset, 0, last, ""));
            }
            above.put(counters.get(key), change.value());
        });
        record.insert(rows);
        session.createTogether(above);
        return changes.keySet();
    }

    private record Note(long offset, Witness witness) {}

    private Set<String> witness(Map<String, Change> changes) throws SQLException {
        Map<Note, List<String>> keys = new LinkedHashMap<>();
        changes.forEach((key, change) -> keys.computeIfAbsent(
                        new Note(change.peer(), new Witness(change.generation(), change.value())),
                        note -> new ArrayList<>())
                .add(key));
        for (Map.Entry<Note, List<String>> each : keys.entrySet()) {
            record.created(each.getValue(), each.getKey().offset, each.getKey().witness);
        }
        return changes.keySet();
    }

    private Set<String> raise(Map<String, Change> changes, Map<String, C> counters) throws SQLException {
        Map<String, Long> generations = record.lock(changes.keySet());
        Map<String, CounterRecord> records = new TreeMap<>();
        Map<C, Long> above = new LinkedHashMap<>();
        changes.forEach((key, change) -> {
            if (generations.getOrDefault(key, 0L) == change.seen().generation()) {
                records.put(key, CounterChange.raised(change));
                above.put(counters.get(key), change.value());
            }
        });
        if (!records.isEmpty()) {
            session.raiseTogether(above);
            record.update(records);
            for (Map.Entry<Long, Map<String, Witness>> each :
                    notes(records.keySet(), changes).entrySet()) {
                record.note(each.getKey(), each.getValue());
            }
        }
        return records.keySet();
    }

    /** The notes of the changes, by the offsets of the servers. */
    private static Map<Long, Map<String, Witness>> notes(Set<String> keys, Map<String, Change> changes) {
        Map<Long, Map<String, Witness>> notes = new TreeMap<>();
        for (String key : keys) {
            requireNonNull(changes.get(key))
                    .notes()
                    .forEach((offset, witness) -> notes.computeIfAbsent(offset, first -> new TreeMap<>())
                            .put(key, witness));
        }
        return notes;
    }

    private Set<String> floor(Map<String, Change> changes) throws SQLException {
        Map<String, Long> generations = record.lock(changes.keySet());
        Map<String, Long> floors = new TreeMap<>();
        changes.forEach((key, change) -> {
            if (generations.getOrDefault(key, 0L) == change.seen().generation()) {
                floors.put(key, change.value());
            }
        });
        if (!floors.isEmpty()) {
            record.raiseFloors(floors);
        }
        return floors.keySet();
    }
}

package io.distributedid.internal.counter;

import static java.util.Objects.requireNonNull;

import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.Transactions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Changes several counters of one {@linkplain CounterKey#group group} on one connection, in one transaction and a
 * number of trips that does not grow with them. Does only what is usual; all else is left to {@link CounterChange}.
 * Counters are created so:
 *
 * <pre>
 * SELECT counter, generation FROM distributedid_record WHERE server = 0 AND counter IN ('sequence') LOCK IN SHARE MODE;
 * INSERT INTO distributedid_record ... VALUES ('sequence/photos', 0, ...), ('sequence/photos', 2, ...), ...;
 * INSERT INTO sequence (name, id) VALUES ('photos', 0), ('users', 0);
 * </pre>
 *
 * <p>Counters are raised in the order of the single raise, see {@link CounterChange}:
 *
 * <pre>
 * SELECT counter, generation FROM distributedid_record WHERE server = 0 AND counter IN ('sequence') LOCK IN SHARE MODE;
 * SELECT counter, generation FROM distributedid_record WHERE server = 0 AND counter IN (...) FOR UPDATE;
 * UPDATE sequence SET id = CASE WHEN name = 'photos' AND id &lt; 500 THEN 500 ... END WHERE name IN (...);
 * UPDATE distributedid_record SET generation = CASE ... END, last_id = CASE ... END WHERE server = 0 AND ...;
 * UPDATE distributedid_record SET generation = CASE ... END, last_id = CASE ... END WHERE server = 2 AND ...;
 * </pre>
 *
 * <p>Tables that hold one counter each are claimed and opened together, too. The lock of a claim that is opened is
 * exclusive:
 *
 * <pre>
 * INSERT INTO distributedid_record ... VALUES ('Photos', 0, ...), ('Users', 0, ...);
 *
 * SELECT counter, generation FROM distributedid_record WHERE server = 0 AND counter IN ('Photos', 'Users') FOR UPDATE;
 * UPDATE distributedid_record SET generation = generation + 1, state = 'OPEN' WHERE server = 0 AND counter IN (...);
 * </pre>
 *
 * <p>The INSERTs compare and set: they fail if another process has claimed one of the tables or created one of the
 * counters, and then nothing is changed.
 */
final class CounterBatch<C extends CounterKey> {

    private final TableSession<C> session;

    /** The records of all counters are in its table, whose own claim is that of one of them. */
    private final RecordBatch record;

    /** By the key of the counter's record, whose order is that of the locks in all processes. */
    private final Map<String, Planned<C>> planned;

    /** @param claimKey of its table */
    private record Planned<C extends CounterKey>(C counter, String claimKey, Change change) {

        /** The INSERT of a new claim compares by itself. */
        boolean isClaim() {
            return change.kind() == Change.Kind.CLAIM;
        }

        /** The generation of the claim; 0, which no claim has, if there was none. */
        Optional<Long> seenClaim() {
            return Optional.of(
                    change.seen().claim().map(NumberingRecord::generation).orElse(0L));
        }
    }

    private CounterBatch(TableSession<C> session, RecordTable table, Map<String, Planned<C>> planned) {
        this.session = session;
        this.record = new RecordBatch(session.connection(), table);
        this.planned = planned;
    }

    /** Whether {@link #make} can make a change together with others. */
    static boolean isUsual(CounterKey counter, Change change) {
        boolean sharesTransactions = change.seen().changesTogether();
        return switch (change.kind()) {
            case CLAIM, OPEN -> sharesTransactions && counter.isAloneInItsTable();
            case CREATE -> sharesTransactions && (change.seen().last().isEmpty() || counter.isAloneInItsTable());
            case WITNESS, FLOOR -> true;
            case RAISE ->
                sharesTransactions
                        && change.isMinimum()
                        && change.seen().counter().isPresent()
                        && change.seen().last().isPresent();
        };
    }

    /** Makes {@link #isUsual usual} changes of counters of one group. Returns the counters whose change was made. */
    static <C extends CounterKey> Set<C> make(TableSession<C> session, Map<C, Change> changes) throws SQLException {
        Map<String, Planned<C>> planned = new TreeMap<>();
        RecordTable table = null;
        for (Map.Entry<C, Change> each : changes.entrySet()) {
            if (each.getValue().seen().isOn(session)) {
                table = session.record(each.getKey());
                planned.put(
                        table.key(each.getKey().rowName()),
                        new Planned<>(each.getKey(), table.claimKey(), each.getValue()));
            }
        }
        if (table == null || table.isDenied()) {
            return Set.of();
        }
        if (planned.values().stream().anyMatch(Planned::isClaim) && !table.create()) {
            return Set.of();
        }
        CounterBatch<C> batch = new CounterBatch<>(session, table, planned);
        try {
            return Transactions.run(session.connection(), batch::make);
        } catch (SQLException e) {
            if (SqlErrors.isDuplicateKey(e)) {
                return Set.of();
            }
            throw e;
        }
    }

    private Set<C> make() throws SQLException {
        Map<String, Long> claims = lockClaims();
        Map<Change.Kind, Map<String, Change>> byKind = new TreeMap<>();
        planned.forEach((key, each) -> {
            if (each.isClaim() || each.seenClaim().equals(Optional.ofNullable(claims.get(each.claimKey)))) {
                byKind.computeIfAbsent(each.change.kind(), kind -> new TreeMap<>())
                        .put(key, each.change);
            }
        });
        Set<String> made = new TreeSet<>();
        for (Map.Entry<Change.Kind, Map<String, Change>> each : byKind.entrySet()) {
            made.addAll(
                    switch (each.getKey()) {
                        case CLAIM -> claim(each.getValue());
                        case OPEN -> open(each.getValue());
                        case CREATE -> create(each.getValue());
                        case WITNESS -> witness(each.getValue());
                        case FLOOR -> floor(each.getValue());
                        case RAISE -> raise(each.getValue());
                    });
        }
        return made.stream().map(this::counter).collect(Collectors.toSet());
    }

    /** Returns the generation of each claim that is there. New claims are not locked. */
    private Map<String, Long> lockClaims() throws SQLException {
        Set<String> shared = new TreeSet<>();
        Set<String> exclusive = new TreeSet<>();
        for (Planned<C> each : planned.values()) {
            if (!each.isClaim()) {
                (each.change.kind() == Change.Kind.OPEN ? exclusive : shared).add(each.claimKey);
            }
        }
        shared.removeAll(exclusive);
        Map<String, Long> generations = record.lock(shared, false);
        generations.putAll(record.lock(exclusive, true));
        return generations;
    }

    private C counter(String key) {
        return requireNonNull(planned.get(key)).counter;
    }

    private String claimKey(String key) {
        return requireNonNull(planned.get(key)).claimKey;
    }

    private Set<String> claim(Map<String, Change> changes) throws SQLException {
        List<RecordBatch.Claim> claims = new ArrayList<>();
        changes.forEach((key, change) ->
                claims.add(new RecordBatch.Claim(claimKey(key), change.seen().numbering(), change.token())));
        record.insertClaims(claims);
        return changes.keySet();
    }

    private Set<String> open(Map<String, Change> changes) throws SQLException {
        record.openClaims(changes.keySet().stream().map(this::claimKey).toList());
        return changes.keySet();
    }

    private Set<String> create(Map<String, Change> changes) throws SQLException {
        List<RecordBatch.Row> rows = new ArrayList<>();
        Map<C, Long> above = new LinkedHashMap<>();
        changes.forEach((key, change) -> {
            rows.add(new RecordBatch.Row(key, 0, 1, 0, change.seen().identity()));
            Numbering numbering = change.seen().numbering();
            for (long offset = 1; offset <= numbering.increment() && offset <= change.peer(); offset++) {
                long last = change.marks().contains(offset) ? Witness.NOT_CREATED : 0;
                rows.add(new RecordBatch.Row(key, offset, 0, last, ""));
            }
            if (change.seen().last().isEmpty()) {
                above.put(counter(key), change.value());
            }
        });
        record.insert(rows);
        if (!above.isEmpty()) {
            session.createTogether(above);
        }
        return changes.keySet();
    }

    private Set<String> witness(Map<String, Change> changes) throws SQLException {
        Map<Long, Map<String, Witness>> created = new TreeMap<>();
        changes.forEach((key, change) -> created.computeIfAbsent(change.peer(), first -> new TreeMap<>())
                .put(key, new Witness(change.generation(), change.value())));
        for (Map.Entry<Long, Map<String, Witness>> each : created.entrySet()) {
            record.created(each.getKey(), each.getValue());
        }
        return changes.keySet();
    }

    private Set<String> raise(Map<String, Change> changes) throws SQLException {
        Map<String, Long> generations = record.lock(changes.keySet(), true);
        Map<String, CounterRecord> records = new TreeMap<>();
        Map<C, Long> above = new LinkedHashMap<>();
        changes.forEach((key, change) -> {
            if (generations.getOrDefault(key, 0L) == change.seen().generation()) {
                records.put(key, CounterChange.raised(change));
                above.put(counter(key), change.value());
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
        Map<String, Long> generations = record.lock(changes.keySet(), true);
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

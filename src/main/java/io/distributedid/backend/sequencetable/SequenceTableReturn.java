package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.NumberingRecord;
import io.distributedid.internal.counter.RecordTable;
import io.distributedid.internal.counter.Return;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Gives unused ids of several rows of one sequence table back in one transaction. On MySQL:
 *
 * <pre>
 * START TRANSACTION;
 * SELECT generation, token FROM distributedid_record WHERE counter = 'sequence' AND server = 0 LOCK IN SHARE MODE;
 * SELECT counter, generation FROM distributedid_record
 *     WHERE counter IN ('sequence/photos', 'sequence/users') AND server = 0 FOR UPDATE SKIP LOCKED;
 * SELECT counter, last_id FROM distributedid_record WHERE ... (the floors);
 * SELECT name, id FROM sequence WHERE name IN ('photos', 'users') FOR UPDATE SKIP LOCKED;
 * INSERT INTO sequence (name, id) VALUES ('photos', 112), ('users', 40)
 *     ON DUPLICATE KEY UPDATE id = IF((name, id) IN (('photos', 160), ('users', 80)), VALUES(id), id);
 * UPDATE distributedid_record SET generation = generation + 1
 *     WHERE counter IN ('sequence/photos', 'sequence/users') AND server = 0;
 * COMMIT;
 * </pre>
 *
 * <p>A row is lowered only if it holds the last id that is given back, its token and generation are those under which
 * the ids were drawn, and the new value is not below the floor. Ids of a row that is locked stay a gap. For one thread
 * at a time.
 */
final class SequenceTableReturn {

    private final LockedRows rows;

    private final Map<SequenceTableCounter, Return> returns;

    /** {@code returns}: of counters that are open, of one table, not empty. */
    SequenceTableReturn(LockedRows rows, Map<SequenceTableCounter, Return> returns) {
        this.rows = rows;
        this.returns = returns;
    }

    /** Hands over the counters that were lowered, after the commit. */
    void run(Consumer<SequenceTableCounter> returned) throws SQLException {
        List<SequenceTableCounter> lowered = rows.inTransaction(this::lower);
        lowered.forEach(returned);
    }

    private List<SequenceTableCounter> lower() throws SQLException {
        RecordTable record = returns.keySet().iterator().next().record();
        Optional<NumberingRecord> claim = record.lockClaim(false);
        Map<String, SequenceTableCounter> byName = new LinkedHashMap<>();
        Map<String, String> keys = new LinkedHashMap<>();
        for (SequenceTableCounter each : returns.keySet()) {
            byName.put(each.storedName(), each);
            keys.put(each.storedName(), record.key(each.storedName()));
        }
        Map<String, Long> generations = rows.lockRecords(record.table(), keys.values());
        Map<String, Long> floors = rows.floors(record.table(), keys.values());
        Map<String, Long> ids = rows.lock(byName.keySet());
        Map<String, Long> lower = new LinkedHashMap<>();
        byName.forEach((name, counter) -> {
            Return rest = Objects.requireNonNull(returns.get(counter));
            long before = rest.ids().first() - rest.ids().step();
            Long generation = generations.get(keys.get(name));
            Long floor = floors.get(keys.get(name));
            Long id = ids.get(name);
            if (rest.isFor(claim)
                    && generation != null
                    && generation == rest.generation()
                    && floor != null
                    && floor <= before
                    && id != null
                    && id == rest.ids().last()) {
                lower.put(name, before);
            }
        });
        if (lower.isEmpty()) {
            return List.of();
        }
        rows.setIds(ids, lower);
        rows.nextGeneration(
                record.table(), lower.keySet().stream().map(record::key).toList());
        return lower.keySet().stream()
                .map(name -> Objects.requireNonNull(byName.get(name)))
                .toList();
    }
}

package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.RecordTable;
import io.distributedid.internal.counter.Return;
import io.distributedid.internal.counter.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Gives unused ids of several rows of one sequence table back in one transaction. On MySQL:
 *
 * <pre>
 * START TRANSACTION;
 * SELECT generation FROM distributedid_record WHERE counter = 'sequence' AND server = 0 LOCK IN SHARE MODE;
 * SELECT counter, generation FROM distributedid_record
 *     WHERE counter IN ('sequence/photos', 'sequence/users') AND server = 0 FOR UPDATE SKIP LOCKED;
 * SELECT counter, last_id FROM distributedid_record WHERE ... (the floors);
 * SELECT name, id FROM sequence WHERE name IN ('photos', 'users') FOR UPDATE SKIP LOCKED;
 * INSERT INTO sequence (name, id) VALUES ('photos', 112), ('users', 40) ON DUPLICATE KEY UPDATE id = VALUES(id);
 * UPDATE distributedid_record SET generation = generation + 1
 *     WHERE counter IN ('sequence/photos', 'sequence/users') AND server = 0;
 * COMMIT;
 * </pre>
 *
 * <p>A row is lowered only if it holds the last id that is given back, its generation is the one under which the ids
 * were drawn, and the new value is not below the floor. Ids of a row that is locked stay a gap. For one thread at a
 * time.
 */
final class SequenceTableReturn {

    private final RowSet rows;

    private final Connection connection;

    private final SkipLocked locks;

    /** The table's name in a query that finds rows by name. */
    private final String indexedTable;

    private final Map<SequenceTableCounter, Return> returns;

    /** {@code returns}: of counters that are open, of one table, not empty. */
    SequenceTableReturn(
            Connection connection, SkipLocked locks, String indexedTable, Map<SequenceTableCounter, Return> returns) {
        this.rows = new RowSet(connection);
        this.connection = connection;
        this.locks = locks;
        this.indexedTable = indexedTable;
        this.returns = returns;
    }

    /** Hands over the counters that were lowered, after the commit. */
    void run(Consumer<SequenceTableCounter> returned) throws SQLException {
        List<SequenceTableCounter> lowered = Transactions.run(connection, this::lower);
        lowered.forEach(returned);
    }

    private List<SequenceTableCounter> lower() throws SQLException {
        Map<String, SequenceTableCounter> byKey = new LinkedHashMap<>();
        Map<String, SequenceTableCounter> byName = new LinkedHashMap<>();
        for (SequenceTableCounter each : returns.keySet()) {
            byKey.put(each.record().key(each.storedName()), each);
            byName.put(each.storedName(), each);
        }
        SequenceTableCounter any = byKey.values().iterator().next();
        RecordTable record = any.record();
        if (record.lock(record.claimKey(), false) == 0) {
            return List.of();
        }
        String where = " FROM " + locks.byKey(record.table()) + " WHERE counter IN (" + RowSet.marks(byKey.size())
                + ") AND server = 0";
        Map<String, Long> generations =
                rows.read("SELECT counter, generation" + where + locks.update(), byKey.keySet());
        Map<String, Long> floors = rows.read("SELECT counter, last_id" + where, byKey.keySet());
        Map<String, Long> ids = rows.read(
                "SELECT name, id FROM " + indexedTable + " WHERE name IN (" + RowSet.marks(byName.size()) + ")"
                        + locks.update(),
                byName.keySet());
        Map<String, Long> lower = new LinkedHashMap<>();
        Map<String, SequenceTableCounter> lowered = new LinkedHashMap<>();
        Map<String, String> names = new HashMap<>();
        byName.forEach((name, counter) -> names.put(record.key(name), name));
        byKey.forEach((key, counter) -> {
            String name = Objects.requireNonNull(names.get(key));
            Return rest = Objects.requireNonNull(returns.get(counter));
            long before = rest.ids().first() - rest.ids().step();
            Long floor = floors.get(key);
            Long id = ids.get(name);
            Long generation = generations.get(key);
            if (generation != null
                    && generation == rest.generation()
                    && floor != null
                    && floor <= before
                    && id != null
                    && id == rest.ids().last()) {
                lower.put(name, before);
                lowered.put(key, counter);
            }
        });
        if (lowered.isEmpty()) {
            return List.of();
        }
        rows.insert(any.table(), lower, locks.setId());
        rows.update(
                "UPDATE " + locks.byKey(record.table()) + " SET generation = generation + 1 WHERE counter IN ("
                        + RowSet.marks(lowered.size()) + ") AND server = 0",
                lowered.keySet());
        return List.copyOf(lowered.values());
    }
}

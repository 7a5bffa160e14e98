package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.Seen;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Creates counters or raises them, any number with one statement. Here on MySQL:
 *
 * <pre>
 * INSERT INTO sequence (name, id) VALUES ('photos', 99), ... ON DUPLICATE KEY UPDATE id = GREATEST(...);
 * SELECT name, id FROM sequence WHERE name IN ('photos', ...);                      -- compares the spelling
 * </pre>
 */
record CounterRaise(CounterTable table) {

    /**
     * Creates counters, or raises them to a number of this server; one at the end of its column stays. In a transaction
     * that has locked the counters' rows of the ledger.
     */
    void raise(Map<CounterKey, Long> above) throws SQLException {
        List<Object> values = new ArrayList<>();
        above.forEach((counter, id) -> values.addAll(List.of(counter.row(), least(id))));
        table.update(raise(above.size()), values);
        // If the names of the table ignore case, another counter was raised: refuses it.
        Map<CounterKey, Seen> unused = CounterLook.read(table, above.keySet());
    }

    /** The last id of a counter whose next one is the first above a number. */
    private long least(long above) {
        return above == Long.MAX_VALUE ? above : table.numbering().before(above + 1);
    }

    private String raise(int rows) {
        long step = table.numbering().increment();
        String insert = "INSERT INTO " + table.name() + " AS s (name, id) VALUES (?, ?)" + ", (?, ?)".repeat(rows - 1);
        String id = "s.id + CASE WHEN s.id > " + (Long.MAX_VALUE - step) + " THEN 0 ELSE MOD("
                + (step + table.numbering().offset()) + " - MOD(s.id, " + step + "), " + step + ") END)";
        return switch (table.product()) {
            case MYSQL, MARIADB ->
                insert.replace(" AS s ", " ") + " ON DUPLICATE KEY UPDATE id = GREATEST(VALUES(id), "
                        + id.replace("s.id", "id");
            case POSTGRESQL -> insert + " ON CONFLICT (name) DO UPDATE SET id = GREATEST(excluded.id, " + id;
            case H2 ->
                "MERGE INTO " + table.name() + " s USING (VALUES (CAST(? AS VARCHAR), CAST(? AS BIGINT))"
                        + ", (?, ?)".repeat(rows - 1) + ") v (name, id) ON s.name = v.name WHEN MATCHED THEN UPDATE"
                        + " SET id = GREATEST(v.id, " + id
                        + " WHEN NOT MATCHED THEN INSERT (name, id) VALUES (v.name, v.id)";
        };
    }
}

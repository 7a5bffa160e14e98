package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counting.CounterKey;
import io.distributedid.internal.counting.CounterTexts;
import io.distributedid.internal.counting.Seen;
import io.distributedid.internal.counting.Write;
import io.distributedid.internal.counting.Write.ToHeader;
import io.distributedid.internal.counting.Write.ToNote;
import io.distributedid.internal.counting.Write.ToRow;
import io.distributedid.internal.jdbc.Transactions;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.SqlLedger;
import io.distributedid.internal.ledger.Version;
import io.distributedid.spi.DatabaseProduct;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Changes headers, rows and notes: any list in one transaction, with as many statements as for one. Here on MySQL:
 *
 * <pre>
 * SELECT ... FROM distributedid WHERE name IN ('sequence/users', ...) FOR UPDATE;   -- compares the mark LOST
 * INSERT IGNORE INTO distributedid ...;                                             -- new rows
 * UPDATE distributedid SET version = ..., number = GREATEST(number, ...), ...;      -- rows with the expected version
 * INSERT INTO sequence (name, id) VALUES ('photos', 99), ... ON DUPLICATE KEY UPDATE id = GREATEST(...);
 * SELECT name, id FROM sequence WHERE name IN ('photos', ...);                      -- compares the spelling
 * INSERT INTO distributedid ... ON DUPLICATE KEY UPDATE number = GREATEST(...);     -- notes
 * COMMIT;
 * </pre>
 *
 * <p>Only rows that were seen are locked: to lock a missing one would lock the gap between its neighbours too. Of two
 * clients that create a row, one waits for the other. Which rows have their new version, {@link SqlLedger#write} tells;
 * only their counters and notes are changed.
 */
final class CounterWrites {

    private final CounterTable table;

    private final SqlLedger ledger;

    CounterWrites(CounterTable table) {
        this.table = table;
        this.ledger = table.ledger();
    }

    /** See {@link io.distributedid.internal.counting.CounterSession#write}. */
    Set<Write> write(List<Write> writes) throws SQLException {
        try {
            return Transactions.run(table.connection(), () -> inTransaction(writes));
        } catch (SQLException e) {
            throw table.explained(e);
        }
    }

    private Set<Write> inTransaction(List<Write> writes) throws SQLException {
        if (table.product() == DatabaseProduct.POSTGRESQL) {
            table.update("SET LOCAL lock_timeout = '1s'", List.of());
        }
        Map<String, Row> found = new HashMap<>();
        ledger.lock(writes.stream().flatMap(this::seen).toList()).forEach(row -> found.put(row.name(), row));
        Map<String, Write> byRow = new LinkedHashMap<>();
        List<Change> changes = new ArrayList<>();
        for (Write each : writes) {
            change(each, found).ifPresent(change -> {
                byRow.put(change.name(), each);
                changes.add(change);
            });
        }
        byRow.keySet().retainAll(ledger.write(changes));
        Map<CounterKey, Long> counters = new LinkedHashMap<>();
        List<Row> notes = new ArrayList<>();
        byRow.values().stream()
                .map(Write::change)
                .filter(ToRow.class::isInstance)
                .forEach(each -> {
                    ToRow change = (ToRow) each;
                    change.above().ifPresent(above -> counters.put(change.counter(), least(above)));
                    notes.addAll(
                            notes(change.counter(), change.notes(), change.row().version()));
                });
        raise(counters);
        ledger.raise(notes);
        return Set.copyOf(byRow.values());
    }

    /** The row that a write has seen, if it compares more than the version. */
    private Stream<String> seen(Write write) {
        CounterKey key = table.inLedger(write.change().counter());
        return write.change() instanceof ToNote change
                ? Stream.of(key.note(change.offset()))
                : write.change() instanceof ToRow && write.expected() != null
                        ? Stream.of(key.ledgerRow())
                        : Stream.of();
    }

    /** Empty if the row that is locked is not as expected. */
    private Optional<Change> change(Write write, Map<String, Row> found) {
        CounterKey key = table.inLedger(write.change().counter());
        Optional<Version> expected = Optional.ofNullable(write.expected());
        if (write.change() instanceof ToHeader change) {
            return Optional.of(new Change(expected, CounterTexts.row(key.header(), change.header()), false));
        }
        if (write.change() instanceof ToNote change) {
            return Optional.ofNullable(found.get(key.note(change.offset())))
                    .filter(note -> note.number() == Seen.NOT_CREATED)
                    .map(note -> Change.replace(
                            note, note.version().random(), change.number(), Row.State.NONE, Fields.NONE));
        }
        ToRow change = (ToRow) write.change();
        Row row = found.get(key.ledgerRow());
        boolean isOther = row != null
                && row.version().equals(write.expected())
                && (row.state() == Row.State.LOST) != change.wasLost();
        return isOther
                ? Optional.empty()
                : Optional.of(new Change(expected, CounterTexts.row(key.ledgerRow(), change.row()), false));
    }

    /** The last id of a counter whose next one is the first above a number. */
    private long least(long above) {
        return above == Long.MAX_VALUE ? above : table.numbering().before(above + 1);
    }

    /**
     * Creates counters, or raises them to a number of this server; one at the end of its column stays. In a transaction
     * that has locked the counters' rows of the ledger.
     */
    private void raise(Map<CounterKey, Long> least) throws SQLException {
        if (least.isEmpty()) {
            return;
        }
        List<Object> values = new ArrayList<>();
        least.forEach((counter, id) -> values.addAll(List.of(counter.row(), id)));
        table.update(raise(least.size()), values);
        // If the names of the table ignore case, another counter was raised: refuses it.
        Map<CounterKey, Seen> unused = CounterLook.read(table, least.keySet());
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

    /**
     * Rows of the ledger that say how far others were seen.
     *
     * @param counter as the ledger names it
     * @param numbers by the offset of the other server
     * @param version of new ones
     */
    static List<Row> notes(CounterKey counter, Map<Long, Long> numbers, Version version) {
        return numbers.entrySet().stream()
                .map(each ->
                        new Row(counter.note(each.getKey()), version, each.getValue(), Row.State.NONE, Fields.NONE))
                .toList();
    }
}

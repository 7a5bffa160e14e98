package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counting.CounterKey;
import io.distributedid.internal.counting.CounterTexts;
import io.distributedid.internal.counting.Numbering;
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
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes headers, rows and notes. A header and a note are one statement each. A row is a transaction, here on MySQL:
 *
 * <pre>
 * SELECT ... FROM distributedid WHERE name = 'sequence/photos' FOR UPDATE;     -- compares version and the mark LOST
 * UPDATE distributedid SET version = ..., number = GREATEST(number, ...), ... WHERE name = ... AND version = ...;
 * SELECT id FROM sequence WHERE name = 'photos';
 * INSERT IGNORE INTO sequence (name, id) VALUES ('photos', 0);                 -- if it is missing
 * SELECT id FROM sequence WHERE name = 'photos' FOR UPDATE;
 * UPDATE sequence SET id = ... WHERE name = 'photos';
 * ... the notes ...
 * COMMIT;
 * </pre>
 *
 * <p>A missing row is not locked, which would lock the gap between its neighbours too: it is inserted, and whoever
 * comes later waits for that. Notes are changed only under the lock of the counter's row, except by {@link ToNote}: if
 * that interferes, the transaction is repeated.
 */
final class CounterWrites {

    private final CounterTable table;

    private final SqlLedger ledger;

    CounterWrites(CounterTable table) {
        this.table = table;
        this.ledger = table.ledger();
    }

    /** See {@link io.distributedid.internal.counting.CounterSession#write}. */
    boolean write(Write write) throws SQLException {
        CounterKey key = table.inLedger(write.change().counter());
        if (write.change() instanceof ToHeader change) {
            return replace(write.expected(), CounterTexts.row(key.header(), change.header()));
        }
        if (write.change() instanceof ToNote change) {
            return endNote(key.note(change.offset()), change.number());
        }
        ToRow change = (ToRow) write.change();
        try {
            return Transactions.run(table.connection(), () -> row(key, write.expected(), change));
        } catch (SQLException e) {
            throw table.explained(e);
        }
    }

    private boolean replace(@Nullable Version expected, Row next) throws SQLException {
        return !ledger.write(List.of(new Change(Optional.ofNullable(expected), next, false)))
                .isEmpty();
    }

    private boolean endNote(String name, long number) throws SQLException {
        Row note = ledger.read(Set.of(name)).rows().get(name);
        return note != null
                && note.number() == Seen.NOT_CREATED
                && replace(
                        note.version(),
                        note(name, note.version().next(note.version().random()), number));
    }

    private static Row note(String name, Version version, long number) {
        return new Row(name, version, number, Row.State.NONE, Fields.NONE);
    }

    private boolean row(CounterKey key, @Nullable Version expected, ToRow change) throws SQLException {
        limitWait();
        String name = key.ledgerRow();
        Row before = expected == null
                ? ledger.read(Set.of(name)).rows().get(name)
                : ledger.lock(Set.of(name)).stream().findAny().orElse(null);
        Row after = CounterTexts.row(name, change.row());
        boolean isExpected = before == null
                ? expected == null
                : before.version().equals(expected) && (before.state() == Row.State.LOST) == change.wasLost();
        if (!isExpected || !replace(expected, after)) {
            return before != null && before.version().equals(after.version());
        }
        if (change.above().isPresent()) {
            raise(change.counter().row(), change.above().getAsLong());
        }
        boolean isNewEra = before == null
                || CounterTexts.counterRow(before).era() < change.row().era();
        raiseNotes(key, change.notes(), after.version());
        return true;
    }

    private void limitWait() throws SQLException {
        if (table.product() == DatabaseProduct.POSTGRESQL) {
            try (Statement statement = table.connection().createStatement()) {
                statement.execute("SET LOCAL lock_timeout = '1s'");
            }
        }
    }

    /** In a transaction that has locked the counter's row of the ledger. */
    private void raise(String counter, long above) throws SQLException {
        Numbering numbering = table.numbering();
        long enough = above == Long.MAX_VALUE ? above : numbering.before(above + 1);
        if (table.ids(Set.of(counter), "").isEmpty()) {
            SequenceTableSql.insert(table.connection(), table.product(), table.name(), counter, enough);
        }
        Long last = table.ids(Set.of(counter), " FOR UPDATE").get(counter);
        if (last == null) {
            throw new SQLException(
                    "A row has vanished: table=" + table.name() + " name=" + counter + " on " + table.label());
        }
        long raised = Math.max(last, enough);
        if (!numbering.holds(raised) && raised <= table.largest() - numbering.increment()) {
            raised = numbering.atLeast(raised);
        }
        if (raised > last) {
            setId(counter, raised);
        }
    }

    void setId(String counter, long id) throws SQLException {
        table.update("UPDATE " + table.name() + " SET id = ? WHERE name = ?", id, counter);
    }

    /**
     * In a transaction that has locked the counter's row of the ledger.
     *
     * @param notes by the offset of another server
     * @param version of new ones
     */
    void raiseNotes(CounterKey key, Map<Long, Long> notes, Version version) throws SQLException {
        if (notes.isEmpty()) {
            return;
        }
        Map<String, Row> found =
                ledger.read(notes.keySet().stream().map(key::note).toList()).rows();
        List<Change> changes = new ArrayList<>();
        notes.forEach((offset, number) -> {
            String name = key.note(offset);
            Row before = found.get(name);
            if (before == null) {
                changes.add(new Change(Optional.empty(), note(name, version, number), false));
            } else if (before.number() < number) {
                Row next = note(name, before.version().next(version.random()), number);
                changes.add(new Change(Optional.of(before.version()), next, false));
            }
        });
        if (ledger.write(changes).size() < changes.size()) {
            throw new SQLTransactionRollbackException("A note was changed meanwhile: row=" + key.ledgerRow(), "40001");
        }
    }
}

package io.distributedid.internal.counting.sql;

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
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.SqlLedger;
import io.distributedid.internal.ledger.Version;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes headers, rows and notes of counters in the ledger beside them. A header and a note are one
 * statement each. A row is a transaction, here on MySQL:
 *
 * <pre>
 * SELECT ... FROM distributedid WHERE name = 'sequence/photos' FOR UPDATE;     -- compares version and the mark LOST
 * UPDATE distributedid SET version = ..., number = GREATEST(number, ...), ... WHERE name = ... AND version = ...;
 * ... the counter is created or raised, see {@link Raise} ...
 * ... the notes ...
 * COMMIT;
 * </pre>
 *
 * <p>A missing row is not locked, which would lock the gap between its neighbours too: it is inserted, and whoever
 * comes later waits for that. Notes are changed only under the lock of the counter's row, except by {@link ToNote}: if
 * that interferes, the transaction is repeated. For one thread at a time.
 */
public final class CounterLedger {

    /** Creates or raises a counter, in the transaction that has locked its row of the ledger. */
    @FunctionalInterface
    public interface Raise {

        void above(long above) throws SQLException;
    }

    private final Connection connection;

    private final LedgerSql sql;

    private final SqlLedger rows;

    private final boolean tellsCasesApart;

    private CounterLedger(Connection connection, LedgerSql sql, SqlLedger rows, boolean tellsCasesApart) {
        this.connection = connection;
        this.sql = sql;
        this.rows = rows;
        this.tellsCasesApart = tellsCasesApart;
    }

    /** Opens the ledger in the schema of a table, and creates it if it is missing and {@code create} says so. */
    public static CounterLedger beside(String table, Connection connection, boolean create, String label)
            throws SQLException {
        DatabaseProduct product = DatabaseProduct.of(connection);
        LedgerSql sql = LedgerSql.beside(product, table);
        boolean isMySql = product == DatabaseProduct.MYSQL || product == DatabaseProduct.MARIADB;
        return new CounterLedger(
                connection,
                sql,
                SqlLedger.open(connection, sql, create, label),
                isMySql && connection.getMetaData().supportsMixedCaseIdentifiers());
    }

    /** The counter as the ledger names it: one, however its table is spelt. */
    public CounterKey key(CounterKey counter) {
        String name = counter.table().substring(counter.table().lastIndexOf('.') + 1);
        return new CounterKey(
                tellsCasesApart ? name : name.toLowerCase(Locale.ROOT), counter.row(), counter.sequence());
    }

    public LedgerSql sql() {
        return sql;
    }

    public SqlLedger rows() {
        return rows;
    }

    /** The names of all rows that tell of a counter. */
    public List<String> names(CounterKey counter, Numbering numbering) {
        CounterKey key = key(counter);
        List<String> names = new ArrayList<>(List.of(key.header(), key.ledgerRow()));
        for (long offset = 1; offset <= numbering.increment(); offset++) {
            names.add(key.note(offset));
        }
        return names;
    }

    /**
     * What a server holds of a counter.
     *
     * @param found the rows of {@link #names}, as far as they are there
     */
    public Seen seen(
            CounterKey counter,
            Map<String, Row> found,
            String identity,
            Numbering numbering,
            OptionalLong last,
            boolean isBlind,
            long largest) {
        CounterKey key = key(counter);
        Row header = found.get(key.header());
        Row row = found.get(key.ledgerRow());
        Map<Long, Long> notes = new HashMap<>();
        for (long offset = 1; offset <= numbering.increment(); offset++) {
            Row note = found.get(key.note(offset));
            if (note != null) {
                notes.put(offset, note.number());
            }
        }
        return new Seen(
                identity,
                numbering,
                header == null ? null : CounterTexts.header(header),
                row == null ? null : CounterTexts.counterRow(row),
                notes,
                last,
                isBlind,
                largest);
    }

    /** See {@link io.distributedid.internal.counting.CounterSession#write}. */
    public boolean write(Write write, Raise raise) throws SQLException {
        CounterKey key = key(write.change().counter());
        if (write.change() instanceof ToHeader change) {
            return replace(write.expected(), CounterTexts.row(key.header(), change.header()));
        }
        if (write.change() instanceof ToNote change) {
            return endNote(key.note(change.offset()));
        }
        ToRow change = (ToRow) write.change();
        return Transactions.run(connection, () -> row(key, write.expected(), change, raise));
    }

    private boolean replace(@Nullable Version expected, Row next) throws SQLException {
        return !rows.write(List.of(new Change(Optional.ofNullable(expected), next, false)))
                .isEmpty();
    }

    private boolean endNote(String name) throws SQLException {
        Row note = rows.read(Set.of(name)).rows().get(name);
        return note != null
                && note.number() == Seen.NOT_CREATED
                && replace(
                        note.version(),
                        note(name, note.version().next(note.version().random()), 0));
    }

    private static Row note(String name, Version version, long number) {
        return new Row(name, version, number, Row.State.NONE, Fields.NONE);
    }

    private boolean row(CounterKey key, @Nullable Version expected, ToRow change, Raise raise) throws SQLException {
        limitWait();
        String name = key.ledgerRow();
        Row before = expected == null
                ? rows.read(Set.of(name)).rows().get(name)
                : rows.lock(Set.of(name)).stream().findAny().orElse(null);
        Row after = CounterTexts.row(name, change.row());
        boolean isExpected = before == null
                ? expected == null
                : before.version().equals(expected) && (before.state() == Row.State.LOST) == change.wasLost();
        if (!isExpected || !replace(expected, after)) {
            return before != null && before.version().equals(after.version());
        }
        if (change.above().isPresent()) {
            raise.above(change.above().getAsLong());
        }
        raiseNotes(key, change.notes(), after.version());
        return true;
    }

    private void limitWait() throws SQLException {
        if (sql.product() == DatabaseProduct.POSTGRESQL) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET LOCAL lock_timeout = '1s'");
            }
        }
    }

    /**
     * In a transaction that has locked the counter's row of the ledger.
     *
     * @param key as the ledger names it
     * @param notes by the offset of another server
     * @param version of new ones
     */
    public void raiseNotes(CounterKey key, Map<Long, Long> notes, Version version) throws SQLException {
        if (notes.isEmpty()) {
            return;
        }
        Map<String, Row> found =
                rows.read(notes.keySet().stream().map(key::note).toList()).rows();
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
        if (rows.write(changes).size() < changes.size()) {
            throw new SQLTransactionRollbackException("A note was changed meanwhile: row=" + key.ledgerRow(), "40001");
        }
    }
}

package io.distributedid.internal.counter.ledger;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterTexts;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.Seen;
import io.distributedid.internal.counter.Write;
import io.distributedid.internal.counter.Write.ToHeader;
import io.distributedid.internal.counter.Write.ToNote;
import io.distributedid.internal.counter.Write.ToRow;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.internal.jdbc.Transactions;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.ServerIdentity;
import io.distributedid.internal.ledger.SqlLedger;
import io.distributedid.internal.ledger.Version;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes headers, rows and notes of counters in the ledger beside them. Changes are one transaction, here on
 * MySQL:
 *
 * <pre>
 * SELECT ... FROM distributedid WHERE name IN ('tickets64/', ...) FOR UPDATE;       -- compares the mark LOST
 * INSERT IGNORE INTO distributedid ...;                                             -- new rows
 * UPDATE distributedid SET version = ..., number = GREATEST(number, ...), ...;      -- rows with the expected version
 * ... counters are created or raised, see {@link Raise} ...
 * INSERT INTO distributedid ... ON DUPLICATE KEY UPDATE number = GREATEST(...);     -- notes
 * COMMIT;
 * </pre>
 *
 * <p>Only rows that were seen are locked: to lock a missing one would lock the gap between its neighbours too. Of two
 * clients that create a row, one waits for the other. Which rows have their new version, {@link SqlLedger#write} tells;
 * only their counters and notes are changed. For one thread at a time.
 *
 * @param numbering the server's part of the numbers
 * @param identity of the server and the schema
 * @param tellsCasesApart whether tables whose names differ in the case of letters only are two
 */
public record CounterLedger(
        Connection connection,
        String label,
        Numbering numbering,
        SqlLedger rows,
        String identity,
        boolean tellsCasesApart) {

    /** Behind the DDL of a table of counters that is missing. */
    public static final String BESIDE = "; it also needs the ledger beside it (distributedid ddl prints both)";

    /** Creates or raises counters, in the transaction that has locked their rows of the ledger. */
    @FunctionalInterface
    public interface Raise {

        /** @param above by counter: its next id lies above this */
        void raise(Map<CounterKey, Long> above) throws SQLException;
    }

    /** Opens the ledger in the schema of a table, and creates it if it is missing and {@code create} says so. */
    public static CounterLedger beside(
            String table, Connection connection, Numbering numbering, boolean create, String label)
            throws SQLException {
        DatabaseProduct product = DatabaseProduct.of(connection);
        boolean isMySql = product == DatabaseProduct.MYSQL || product == DatabaseProduct.MARIADB;
        return new CounterLedger(
                connection,
                label,
                numbering,
                SqlLedger.open(connection, LedgerSql.beside(product, table), create, label),
                ServerIdentity.of(connection, product, table),
                isMySql && connection.getMetaData().supportsMixedCaseIdentifiers());
    }

    /** The counter as the ledger names it: one, however its table is spelt. */
    public CounterKey key(CounterKey counter) {
        String name = counter.table().substring(counter.table().lastIndexOf('.') + 1);
        return new CounterKey(
                tellsCasesApart ? name : name.toLowerCase(Locale.ROOT), counter.row(), counter.sequence());
    }

    public LedgerSql sql() {
        return rows.sql();
    }

    /** The names of all rows that tell of a counter. */
    public List<String> names(CounterKey counter) {
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
    public Seen seen(CounterKey counter, Map<String, Row> found, OptionalLong last, boolean isBlind, long largest) {
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

    /** A condition on whether the connection still leads to the server whose tables were checked. */
    public String isSameServer() {
        return ServerIdentity.condition(identity);
    }

    /** If it does not. */
    public SQLException otherServer() {
        return new SQLException("The connection no longer leads to the server for which it was opened: "
                + label + " was "
                + identity + ". Look again");
    }

    /**
     * Says which right is missing, to a table or to the ledger beside it.
     *
     * @param ledger null if it was not opened yet
     */
    public static SQLException explained(SQLException e, TableCheck.Expected table, @Nullable CounterLedger ledger) {
        if (!SqlErrors.isDenied(e) && !SqlErrors.tableMayBeMissing(e)) {
            return e;
        }
        boolean isOfLedger =
                String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains(LedgerSql.NAME);
        throw ledger != null && isOfLedger ? ledger.rows.denied(e) : TableCheck.denied(e, table);
    }

    /** See {@link io.distributedid.internal.counter.CounterSession#write}. */
    public Set<Write> write(List<Write> writes, Raise raise) throws SQLException {
        return Transactions.run(connection, () -> inTransaction(writes, raise));
    }

    private Set<Write> inTransaction(List<Write> writes, Raise raise) throws SQLException {
        if (sql().product() == DatabaseProduct.POSTGRESQL) {
            try (Statement limit = connection.createStatement()) {
                limit.execute("SET LOCAL lock_timeout = '1s'");
            }
        }
        Map<String, Row> found = new HashMap<>();
        rows.lock(writes.stream().flatMap(this::seen).toList()).forEach(row -> found.put(row.name(), row));
        Map<String, Write> byRow = new LinkedHashMap<>();
        List<Change> changes = new ArrayList<>();
        for (Write each : writes) {
            change(each, found).ifPresent(change -> {
                byRow.put(change.name(), each);
                changes.add(change);
            });
        }
        byRow.keySet().retainAll(rows.write(changes));
        Map<CounterKey, Long> counters = new LinkedHashMap<>();
        List<Row> notes = new ArrayList<>();
        byRow.values().stream()
                .map(Write::change)
                .filter(ToRow.class::isInstance)
                .forEach(each -> {
                    ToRow change = (ToRow) each;
                    change.above().ifPresent(above -> counters.put(change.counter(), above));
                    notes.addAll(
                            notes(change.counter(), change.notes(), change.row().version()));
                });
        if (!counters.isEmpty()) {
            raise.raise(counters);
        }
        int unused = rows.raise(notes);
        return Set.copyOf(byRow.values());
    }

    /** The row that a write has seen, if it compares more than the version. */
    private Stream<String> seen(Write write) {
        CounterKey key = key(write.change().counter());
        return write.change() instanceof ToNote change
                ? Stream.of(key.note(change.offset()))
                : write.change() instanceof ToRow && write.expected() != null
                        ? Stream.of(key.ledgerRow())
                        : Stream.of();
    }

    /** Empty if the row that is locked is not as expected. */
    private Optional<Change> change(Write write, Map<String, Row> found) {
        CounterKey key = key(write.change().counter());
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
                && ((row.state() == Row.State.LOST) != change.wasLost()
                        || (change.row().isLost()
                                && row.number() != change.row().number()));
        return isOther
                ? Optional.empty()
                : Optional.of(new Change(expected, CounterTexts.row(key.ledgerRow(), change.row()), false));
    }

    /**
     * Rows of the ledger that say how far others were seen.
     *
     * @param numbers by the offset of the other server
     * @param version of new ones
     */
    public List<Row> notes(CounterKey counter, Map<Long, Long> numbers, Version version) {
        CounterKey key = key(counter);
        return numbers.entrySet().stream()
                .map(each -> new Row(key.note(each.getKey()), version, each.getValue(), Row.State.NONE, Fields.NONE))
                .toList();
    }
}

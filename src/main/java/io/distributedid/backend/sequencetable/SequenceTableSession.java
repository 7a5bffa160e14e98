package io.distributedid.backend.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.RecordTable;
import io.distributedid.internal.counter.ServerIdentity;
import io.distributedid.internal.counter.WitnessNote;
import io.distributedid.internal.jdbc.SqlStates;
import io.distributedid.internal.jdbc.Tables;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.spi.Block;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A connection to the database of a sequence table, and what was looked at on it. For one thread at a time. */
final class SequenceTableSession implements CounterSession<SequenceRow> {

    private final Connection connection;

    private final String label;

    private final DatabaseProduct product;

    private final SequenceTableDialect dialect;

    private final Numbering numbering;

    private final boolean createTable;

    private final TablePins pins;

    /** As it was before; what another database than PostgreSQL has is left alone. */
    private final int isolation;

    private record Open(RecordTable record, String identity) {}

    /** By the table's configured name. */
    private final Map<String, Open> openTables = new HashMap<>();

    /** The tables to which {@code Photos} and {@code photos} are one name. */
    private final Set<String> caseless = new HashSet<>();

    /** The names of rows as the table has them. */
    private final Map<SequenceRow, String> storedNames = new HashMap<>();

    SequenceTableSession(Connection connection, String label, Numbering numbering, boolean createTable, TablePins pins)
            throws SQLException {
        this.connection = connection;
        this.label = label;
        this.product = DatabaseProduct.of(connection);
        this.dialect = SequenceTableDialect.of(product);
        this.numbering = numbering;
        this.createTable = createTable;
        this.pins = pins;
        this.isolation = product == DatabaseProduct.POSTGRESQL
                ? connection.getTransactionIsolation()
                : Connection.TRANSACTION_READ_COMMITTED;
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public Numbering numbering() {
        return numbering;
    }

    @Override
    public String identity(SequenceRow row) throws SQLException {
        return opened(row).identity;
    }

    @Override
    public boolean needsRecord() {
        return numbering.increment() > 1;
    }

    @Override
    public RecordTable open(SequenceRow row) throws SQLException {
        return opened(row).record;
    }

    @Override
    public RecordTable openToRead(SequenceRow row) throws SQLException {
        return opened(row, false).record;
    }

    private Open opened(SequenceRow row) throws SQLException {
        return opened(row, createTable);
    }

    private Open opened(SequenceRow row, boolean create) throws SQLException {
        Open known = openTables.get(row.table());
        if (known == null) {
            known = openTable(row.table(), create);
            openTables.put(row.table(), known);
        }
        return known;
    }

    private Open openTable(String configured, boolean create) throws SQLException {
        String table = pins.name(connection, product, configured);
        String ddl = dialect.ddl(table);
        Tables.require(
                connection,
                create,
                ddl,
                "SELECT name, id FROM " + table + " WHERE 1 = 0",
                "The sequence table is missing: table=" + table + " on " + label + ". Create it: " + ddl
                        + "; or let Hibernate create it (hibernate.hbm2ddl.auto), or the first client:"
                        + " distributedid.sequence_table.create_table=true");
        String pinned = pins.pin(connection, product, configured);
        if (SequenceTableLook.require(connection, pinned, label).namesIgnoreCase()) {
            caseless.add(configured);
        }
        return new Open(
                RecordTable.beside(connection, product, pinned, label), ServerIdentity.of(connection, product, pinned));
    }

    @Override
    public void requireNew(SequenceRow row) throws SQLException {
        if (TablePins.isSearched(product, row.table())) {
            SearchPath.requireNew(connection, row, storedName(row), open(row), describe(row));
        }
    }

    private String table(SequenceRow row) {
        return pins.pinned(row.table());
    }

    /** Where names ignore case, a row that is gone had the name that its record has. */
    @Override
    public String storedName(SequenceRow row) throws SQLException {
        if (!storedNames.containsKey(row)) {
            last(row);
        }
        String stored = storedNames.get(row);
        if (stored != null) {
            return stored;
        }
        return caseless.contains(row.table()) ? open(row).recordedName(row.name()) : row.name();
    }

    private String describe(SequenceRow row) {
        return row + " on " + label;
    }

    @Override
    public Optional<Block> reserve(SequenceRow row, Draw draw) throws SQLException {
        long step = numbering.increment();
        long count = draw.wanted();
        long last = add(row, Math.multiplyExact(count, step), draw);
        if (last < 0) {
            return Optional.empty();
        }
        long first = last - (count - 1) * step;
        if (!numbering.holds(last) || first < 1) {
            throw new IdConfigurationException("A sequence's row has a value that this server never gives: "
                    + describe(row) + " id=" + last + ", " + numbering
                    + ". Does a client draw one id at a time, without the numbering? Stop it and run: "
                    + row.repairCommand());
        }
        if (draw.note().isPresent()) {
            write(draw.note().get());
        }
        return Optional.of(new Block(first, step, count));
    }

    private long add(SequenceRow row, long amount, Draw draw) throws SQLException {
        Addition addition = new Addition(table(row), storedName(row), amount, draw.own(), draw.fence());
        try {
            return dialect.add(connection, addition);
        } catch (SQLException e) {
            if (SqlStates.isOutOfRange(e)) {
                throw new IdsExhaustedException("The sequence is at the end of its column: " + describe(row)
                        + ". Give the sequence another table, or the column id a wider type");
            }
            throw e;
        }
    }

    private void write(WitnessNote note) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(note.sql("?"))) {
            update.setString(1, note.key());
            update.executeUpdate();
        }
    }

    @Override
    public boolean giveBack(SequenceRow row, Block rest) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE " + table(row) + " SET id = ? WHERE name = ? AND id = ?")) {
            update.setLong(1, rest.first() - rest.step());
            update.setString(2, storedName(row));
            update.setLong(3, rest.last());
            return update.executeUpdate() == 1;
        }
    }

    @Override
    public void raise(SequenceRow row, long above) throws SQLException {
        long last = lastBefore(above + 1);
        dialect.insert(connection, table(row), storedName(row), last);
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE " + table(row) + " SET id = ? WHERE name = ? AND id < ?")) {
            update.setLong(1, last);
            update.setString(2, storedName(row));
            update.setLong(3, last);
            update.executeUpdate();
        }
    }

    @Override
    public OptionalLong last(SequenceRow row) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT name, id FROM " + table(row) + " WHERE name = ?")) {
            select.setString(1, row.name());
            try (ResultSet found = select.executeQuery()) {
                if (!found.next()) {
                    storedNames.remove(row);
                    return OptionalLong.empty();
                }
                storedNames.put(row, found.getString(1));
                return OptionalLong.of(UnsignedColumn.read(found, 2));
            }
        }
    }

    /** What the row holds if the next id is the server's first that is not below {@code id}; never negative. */
    private long lastBefore(long id) {
        long first = numbering.atLeast(id);
        return first >= numbering.increment() ? first - numbering.increment() : first;
    }

    @Override
    public void restore() throws SQLException {
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(isolation);
        }
    }
}

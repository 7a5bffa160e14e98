package io.distributedid.internal.keyed.row;

import io.distributedid.internal.jdbc.InList;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The SQL of the table {@code keyed_sequence(name, key_text, number)}. */
abstract class RowSql implements RowStore {

    private static final String KEY = " WHERE name = ? AND key_text = ?";

    private final Connection connection;

    private final String table;

    /** Kept, since a driver may parse each new statement. */
    private @Nullable PreparedStatement adding;

    /** @param table in SQL */
    RowSql(Connection connection, String table) {
        this.connection = connection;
        this.table = table;
    }

    static RowSql on(Connection connection, String table) throws SQLException {
        DatabaseProduct product = DatabaseProduct.of(connection);
        return switch (product) {
            case MYSQL, MARIADB -> new MySqlRows(connection, table, product);
            case POSTGRESQL -> new PostgreSqlRows(connection, table);
            case H2 -> new H2Rows(connection, table);
        };
    }

    /** Prepares a connection that is kept, in autocommit mode. */
    void keep() throws SQLException {}

    @Override
    public void restore() throws SQLException {
        if (adding != null) {
            adding.close();
        }
    }

    final Connection connection() {
        return connection;
    }

    final String table() {
        return table;
    }

    @Override
    public String database() throws SQLException {
        return connection.getMetaData().getURL() + " " + connection.getCatalog();
    }

    /** With the time, since H2 may answer with a former result else. */
    @Override
    public OptionalLong read(RowKey row) throws SQLException {
        return number("SELECT number, CURRENT_TIMESTAMP FROM " + table + KEY, row, row.sequence(), row.key());
    }

    /** Whether the sequence has a row with a key that is none of these. */
    boolean hasOtherRow(String sequence, List<String> keys) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT number FROM " + table + " WHERE name = ? AND key_text NOT " + InList.of(keys.size()))) {
            select.setMaxRows(1);
            select.setString(1, sequence);
            InList.set(select, 1, keys);
            try (ResultSet rows = select.executeQuery()) {
                return rows.next();
            }
        }
    }

    @Override
    public boolean insert(RowKey row, long number) throws SQLException {
        return change(
                        insertion() + " INTO " + table + " (name, key_text, number) VALUES (?, ?, ?)" + unlessThere(),
                        row.sequence(),
                        row.key(),
                        number)
                == 1;
    }

    /** The begin of an INSERT that does nothing if the row is there. */
    String insertion() {
        return "INSERT";
    }

    /** The end of an INSERT that does nothing if the row is there. */
    String unlessThere() {
        return "";
    }

    /** Adds to a row, and returns the sum. Parameters are those of {@link #added}. */
    abstract PreparedStatement prepareAdd(String condition) throws SQLException;

    /**
     * A condition for {@link #add}, with the name of the sequence and the number of its record as parameters. Empty if
     * the statement can't read another row without locking it.
     */
    String whileRecorded() {
        return " AND EXISTS (SELECT 1 FROM " + table + " r WHERE r.name = ? AND r.key_text = '" + RowKey.RECORD
                + "' AND r.number = ?)";
    }

    @Override
    public OptionalLong add(RowKey row, long count, long record) throws SQLException {
        String condition = whileRecorded();
        PreparedStatement update = adding;
        if (update == null) {
            update = prepareAdd(condition);
            adding = update;
        }
        return condition.isEmpty() ? added(update, row, count) : added(update, row, count, row.sequence(), record);
    }

    /** @param more parameters of the condition */
    final OptionalLong added(PreparedStatement update, RowKey row, long count, Object... more) throws SQLException {
        set(update, count, row.sequence(), row.key(), Long.MAX_VALUE - count);
        setAfter(4, update, more);
        return sum(update, row);
    }

    /** Runs the statement that adds, whose parameters are set. */
    OptionalLong sum(PreparedStatement update, RowKey row) throws SQLException {
        return single(update, row);
    }

    /** Adds in the transaction of the caller. */
    final OptionalLong add(RowKey row, long count) throws SQLException {
        try (PreparedStatement update = prepareAdd("")) {
            return added(update, row, count);
        }
    }

    @Override
    public Map<RowKey, Long> addTogether(List<Take> takes) throws SQLException {
        return Map.of();
    }

    @Override
    public void insertAboveFloor(RowKey row, long record) throws SQLException {
        int unused = change(
                insertion() + " INTO " + table + " (name, key_text, number) SELECT f.name, ?, f.number FROM " + table
                        + " f, " + table + " r WHERE r.name = ? AND r.key_text = '" + RowKey.RECORD
                        + "' AND r.number = ? AND f.name = ? AND f.key_text = '" + RowKey.FLOOR + "'" + lockingBoth()
                        + unlessThere(),
                row.key(),
                row.sequence(),
                record,
                row.sequence());
    }

    /** The end of a SELECT that locks what it reads against changes until the transaction ends. */
    abstract String lockingBoth();

    @Override
    public Optional<Found> find(RowKey row) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT number, " + schemasInSql() + ", " + transactionInSql() + " FROM " + table + KEY + latest())) {
            set(select, row.sequence(), row.key());
            return single(
                    select,
                    row,
                    found -> new Found(found.getLong(1), found.getString(2), String.valueOf(found.getString(3))));
        }
    }

    /** The end of a SELECT whose row may be newer than the snapshot of the transaction. */
    abstract String latest();

    /** A constant if the connection's catalog says it. */
    abstract String schemasInSql();

    /** See {@link RowStore.Found#transaction}. */
    abstract String transactionInSql();

    @Override
    public String schemas() throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT " + schemasInSql());
                ResultSet row = select.executeQuery()) {
            row.next();
            return row.getString(1);
        }
    }

    /** A condition with one parameter, {@link #array}. */
    final String isOneOf() {
        return schemasInSql() + " = ANY (?)";
    }

    final Object array(Set<String> schemas) throws SQLException {
        return connection.createArrayOf("VARCHAR", schemas.toArray(String[]::new));
    }

    @Override
    public boolean findsNewest() throws SQLException {
        return connection.getTransactionIsolation() <= Connection.TRANSACTION_READ_COMMITTED;
    }

    @Override
    public boolean replace(RowKey row, long from, long to) throws SQLException {
        return change(
                        "UPDATE " + table + " SET number = ?" + KEY + " AND number = ?",
                        to,
                        row.sequence(),
                        row.key(),
                        from)
                == 1;
    }

    @Override
    public boolean keepsTransaction(SQLException error) throws SQLException {
        return false;
    }

    static void set(PreparedStatement statement, Object... values) throws SQLException {
        setAfter(0, statement, values);
    }

    private static void setAfter(int before, PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(before + i + 1, values[i]);
        }
    }

    /** Runs a statement that returns no rows. Returns the count of those that it has changed. */
    final int change(String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            set(statement, values);
            return statement.executeUpdate();
        }
    }

    /** Runs a statement that returns the number of one row, or nothing. */
    final OptionalLong number(String sql, RowKey row, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            set(statement, values);
            return single(statement, row);
        }
    }

    private static OptionalLong single(PreparedStatement statement, RowKey row) throws SQLException {
        return single(statement, row, found -> OptionalLong.of(found.getLong(1)))
                .orElse(OptionalLong.empty());
    }

    @FunctionalInterface
    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private static <T> Optional<T> single(PreparedStatement statement, RowKey row, Reader<T> reader)
            throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                return Optional.empty();
            }
            T found = reader.read(rows);
            if (rows.next()) {
                throw several(row);
            }
            return Optional.of(found);
        }
    }

    static SQLException several(RowKey row) {
        return new SQLException("A key has several rows: " + row + ". The table needs its primary key");
    }
}

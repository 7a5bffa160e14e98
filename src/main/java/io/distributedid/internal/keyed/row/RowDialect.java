package io.distributedid.internal.keyed.row;

import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.jdbc.InList;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The SQL of the table {@code keyed_sequence(name, key_text, number)}. A number is taken by one statement that adds to
 * a row and returns the sum. Only the first number of a key needs more. Implementations have no state.
 *
 * <p><b>Deleted keys.</b> The floor of a sequence is a row, too. Who deletes keys first raises it to their largest
 * number, commits, and then deletes those that are not above it. Who finds no row of a key inserts one with the floor's
 * number, which is locked meanwhile. So the floor that it reads is not older than the deletion, and the number of a key
 * that comes back is larger than all before.
 *
 * <p><b>Lost rows.</b> The row of a key and the floor are inserted only while the sequence has the {@link RowRecord}
 * that the caller knows, which is locked meanwhile. If it is missing, or another one, the table has lost its rows. On
 * PostgreSQL and H2, numbers outside of transactions are added only then, too, since a proxy may exchange the server
 * behind a connection.
 */
interface RowDialect {

    /**
     * A row that was read in a transaction.
     *
     * @param schemas by {@link #schemas}
     * @param transaction by {@link #transaction}
     */
    record Found(long number, String schemas, String transaction) {}

    /** Reads a row of an answer. */
    @FunctionalInterface
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    static RowDialect of(DatabaseProduct product) {
        return switch (product) {
            case MYSQL, MARIADB -> new MySqlRowDialect();
            case POSTGRESQL -> new PostgreSqlRowDialect();
            case H2 -> new H2RowDialect();
        };
    }

    int NAME_CHARACTERS = 50;

    int KEY_CHARACTERS = 150;

    /** The type of a text column of that length whose values are equal only if all their characters are. */
    String textType(int length);

    /** The end of the table's DDL. */
    default String tableOptions() {
        return "";
    }

    default String ddl(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table + " (name " + textType(NAME_CHARACTERS) + " NOT NULL, key_text "
                + textType(KEY_CHARACTERS)
                + " NOT NULL, number BIGINT NOT NULL, PRIMARY KEY (name, key_text))" + tableOptions();
    }

    /**
     * Prepares the statement that adds to a row.
     *
     * @param condition a further one, in SQL, or empty
     */
    PreparedStatement prepareAdd(Connection connection, String table, String condition) throws SQLException;

    /** Prepares the statement for {@link #take}. */
    default PreparedStatement prepareTake(Connection connection, String table) throws SQLException {
        return prepareAdd(connection, table, whileRecorded(table));
    }

    /**
     * A condition for {@link #prepareTake}, with the name of the sequence and the number of its record as parameters.
     * Empty if the statement can't read another row without locking it.
     */
    default String whileRecorded(String table) {
        return " AND EXISTS (SELECT 1 FROM " + table + " r WHERE r.name = ? AND r.key_text = '" + RowKey.RECORD
                + "' AND r.number = ?)";
    }

    /** Adds to a row while the sequence has its record, see {@link #whileRecorded}. */
    private OptionalLong add(PreparedStatement take, RowKey row, long count, long record) throws SQLException {
        set(take, row, count);
        if (!whileRecorded(row.table()).isEmpty()) {
            take.setString(5, row.sequence());
            take.setLong(6, record);
        }
        return sum(take, row);
    }

    /** What takes numbers of several keys on a connection in autocommit mode. */
    default RowBatch batch(Connection connection, DatabaseProduct product) throws SQLException {
        return RowBatch.NONE;
    }

    /** Sets the parameters of {@link #prepareAdd}. */
    static void set(PreparedStatement update, RowKey row, long count) throws SQLException {
        update.setLong(1, count);
        update.setString(2, row.sequence());
        update.setString(3, row.key());
        update.setLong(4, Long.MAX_VALUE - count);
    }

    /** Runs the statement that adds, whose parameters are set. */
    default OptionalLong sum(PreparedStatement update, RowKey row) throws SQLException {
        return single(update, row);
    }

    /** Adds to a row, and returns the sum; empty, and adds nothing, if the row is missing or the sum too large. */
    default OptionalLong add(Connection connection, RowKey row, long count) throws SQLException {
        try (PreparedStatement update = prepareAdd(connection, row.table(), "")) {
            set(update, row, count);
            return sum(update, row);
        }
    }

    /** Inserts a row unless it is there, and returns whether it was missing. */
    boolean insert(Connection connection, RowKey row, long number) throws SQLException;

    /**
     * Inserts a row while the record of its sequence and another row of it are there, which are locked meanwhile. On a
     * connection in autocommit mode. Returns false if it did not, because the row is there, or one of the others is
     * not.
     *
     * @param other the key of the other row, perhaps the record
     * @param copiesNumber whether to insert the number of the other row; otherwise 0
     * @param record the number that the record must have
     */
    boolean insertBeside(Connection connection, RowKey row, String other, boolean copiesNumber, long record)
            throws SQLException;

    /**
     * Takes numbers of a key on a connection in autocommit mode, and returns the last of them.
     *
     * @param update prepared on that connection by {@link #prepareTake}
     * @param record the number that the record of the sequence must have. If the key has a row, MySQL does not look
     * @throws IdsExhaustedException if too few are left; nothing has changed
     */
    default long take(Connection connection, PreparedStatement update, RowKey row, long count, long record)
            throws SQLException {
        OptionalLong last = add(update, row, count, record);
        if (last.isEmpty()) {
            if (!insertBeside(connection, row, RowKey.FLOOR, true, record)) {
                insertBeside(connection, row.floor(), RowKey.RECORD, false, record);
                insertBeside(connection, row, RowKey.FLOOR, true, record);
            }
            last = add(update, row, count, record);
        }
        return last.isPresent() ? last.getAsLong() : refuse(connection, row, count);
    }

    /**
     * Takes numbers of a key in the transaction of the caller, and returns the last of them. The row stays locked until
     * the end of the transaction. Empty, and neither takes nor locks anything, in other schemas than the given ones.
     *
     * @param isKnown whether the row was there before. It is only a hint: the row may be gone since
     * @param schemas those that {@link #schemas} may be; if none, any
     */
    OptionalLong takeInTransaction(Connection connection, RowKey row, long count, boolean isKnown, Set<String> schemas)
            throws SQLException;

    /** A condition for {@link #takeInTransaction} with one parameter, the array of the {@link #schemas}. */
    default String isOneOf() {
        return schemas() + " = ANY (?)";
    }

    /** Sets the parameter of {@link #isOneOf}. */
    static void set(PreparedStatement statement, int parameter, Set<String> schemas) throws SQLException {
        statement.setArray(
                parameter, statement.getConnection().createArrayOf("VARCHAR", schemas.toArray(String[]::new)));
    }

    /** Asks for {@link #schemas}. */
    default String readSchemas(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT " + schemas());
                ResultSet row = select.executeQuery()) {
            row.next();
            return row.getString(1);
        }
    }

    /**
     * SQL for a text that is the same only if a table without schema is: the schemas in which it is looked for. A
     * constant if the connection's catalog says it.
     */
    String schemas();

    /**
     * SQL for a text that is the same in all statements of a transaction that has written. A database that names no
     * transactions gives that of the connection.
     */
    String transaction();

    /** Refuses numbers that a statement did not take. */
    default long refuse(Connection connection, RowKey row, long count) throws SQLException {
        OptionalLong number = read(connection, row);
        if (number.isPresent() && number.getAsLong() > Long.MAX_VALUE - count) {
            throw exhausted(row, count);
        }
        throw new SQLException(
                "The row of a key, or the record of its sequence, was changed while a number was taken: " + row);
    }

    static IdsExhaustedException exhausted(RowKey row, long count) {
        return new IdsExhaustedException("The key has too few numbers left: " + row + " count=" + count
                + ", allowed: numbers up to " + Long.MAX_VALUE + ". Use another key");
    }

    /** The number in a row; empty if there is no row. With the time, since H2 may answer with a former result else. */
    default OptionalLong read(Connection connection, RowKey row) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT number, CURRENT_TIMESTAMP FROM " + row.table() + " WHERE name = ? AND key_text = ?")) {
            select.setString(1, row.sequence());
            select.setString(2, row.key());
            return single(select, row);
        }
    }

    /** Whether the sequence has a row with a key that is none of these. */
    static boolean hasOtherRow(Connection connection, String table, String sequence, List<String> keys)
            throws SQLException {
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

    /**
     * Reads a row in a transaction: never an old version, or one that is gone since. Locks it against changes. On H2 it
     * locks nothing, and above READ COMMITTED reads the version of the transaction's snapshot.
     */
    default Optional<Found> find(Connection connection, RowKey row) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT number, " + schemas() + ", " + transaction()
                + " FROM " + row.table() + " WHERE name = ? AND key_text = ?" + latest())) {
            select.setString(1, row.sequence());
            select.setString(2, row.key());
            return single(
                    select,
                    row,
                    found -> new Found(found.getLong(1), found.getString(2), String.valueOf(found.getString(3))));
        }
    }

    /**
     * Whether {@link #find} finds all rows that are committed. Otherwise the transaction may have begun before the row
     * was written.
     */
    default boolean findsNewest(Connection connection) throws SQLException {
        return connection.getTransactionIsolation() <= Connection.TRANSACTION_READ_COMMITTED;
    }

    /** Whether a transaction certainly goes on after an error of the database, with what it has written. */
    default boolean keepsTransaction(Connection connection, SQLException error) throws SQLException {
        return false;
    }

    /** The end of a SELECT whose row may be newer than the snapshot of the transaction. */
    String latest();

    /** Changes a row from one number to another, and returns whether it had the first. */
    default boolean replace(Connection connection, RowKey row, long from, long to) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE " + row.table() + " SET number = ? WHERE name = ? AND key_text = ? AND number = ?")) {
            update.setLong(1, to);
            update.setString(2, row.sequence());
            update.setString(3, row.key());
            update.setLong(4, from);
            return update.executeUpdate() == 1;
        }
    }

    /** Runs a statement that returns the number of one row, or nothing. */
    static OptionalLong single(PreparedStatement statement, RowKey row) throws SQLException {
        return single(statement, row, found -> OptionalLong.of(found.getLong(1)))
                .orElse(OptionalLong.empty());
    }

    /** Runs a statement that returns one row, or nothing. */
    static <T> Optional<T> single(PreparedStatement statement, RowKey row, Reader<T> reader) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                return Optional.empty();
            }
            T found = reader.read(rows);
            if (rows.next()) {
                throw new SQLException("A key has several rows: " + row + ". The table needs its primary key");
            }
            return Optional.of(found);
        }
    }

    /**
     * As {@link #insertBeside(Connection, RowKey, String, boolean, long)}, by one statement.
     *
     * @param begin of the INSERT
     * @param end of its SELECT, which locks
     */
    static boolean insertBeside(
            Connection connection,
            String begin,
            String end,
            RowKey row,
            String other,
            boolean copiesNumber,
            long record)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(begin + " INTO " + row.table()
                + " (name, key_text, number) SELECT o.name, ?, " + (copiesNumber ? "o.number" : "0") + " FROM "
                + row.table() + " o, " + row.table() + " r WHERE r.name = ? AND r.key_text = ? AND r.number = ?"
                + " AND o.name = ? AND o.key_text = ?" + end)) {
            insert.setString(1, row.key());
            insert.setString(2, row.sequence());
            insert.setString(3, RowKey.RECORD);
            insert.setLong(4, record);
            insert.setString(5, row.sequence());
            insert.setString(6, other);
            return insert.executeUpdate() == 1;
        }
    }

    /** Runs an INSERT of a name, a key and a number. Returns the count of rows. */
    static int insert(Connection connection, String sql, RowKey row, long number) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            insert.setString(1, row.sequence());
            insert.setString(2, row.key());
            insert.setLong(3, number);
            return insert.executeUpdate();
        }
    }
}

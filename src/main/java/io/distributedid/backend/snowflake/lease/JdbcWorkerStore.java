package io.distributedid.backend.snowflake.lease;

import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.StoredText;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Worker numbers in a database table, see {@link WorkerTable} for its SQL. Each statement is one transaction. */
public final class JdbcWorkerStore implements WorkerStore {

    private final DedicatedConnection<Session> database;

    private final String label;

    /**
     * Connects at the first call.
     *
     * @param table a name, perhaps with its schema
     * @param createTable whether a missing table is created
     * @param timeout the limit of each call
     */
    public JdbcWorkerStore(ConnectionAccess access, String table, boolean createTable, Duration timeout) {
        label = table + " on " + access.label();
        database = new DedicatedConnection<>(
                access, timeout, connection -> Session.open(connection, table, createTable, access.label()));
    }

    @Override
    public StoreSnapshot read(long first, long last) throws WorkerStoreException, InterruptedException {
        return call(session -> session.read(first, last));
    }

    @Override
    public long highest() throws WorkerStoreException, InterruptedException {
        return call(Session::highest);
    }

    @Override
    public boolean compareAndSet(@Nullable WorkerRow expected, WorkerRow next)
            throws WorkerStoreException, InterruptedException {
        return call(session -> session.compareAndSet(expected, next));
    }

    @Override
    public OptionalLong renew(WorkerRow expected, WorkerRow next, StoreCondition condition)
            throws WorkerStoreException, InterruptedException {
        return call(session -> session.renew(expected, next, condition));
    }

    @Override
    public Optional<String> record(String name) throws WorkerStoreException, InterruptedException {
        return call(session -> session.record(name));
    }

    @Override
    public Map<String, String> records() throws WorkerStoreException, InterruptedException {
        return call(Session::records);
    }

    @Override
    public boolean compareAndSetRecord(String name, @Nullable String expected, String next)
            throws WorkerStoreException, InterruptedException {
        return call(session -> session.compareAndSetRecord(name, expected, next));
    }

    private <T> T call(DedicatedConnection.Work<Session, T> work) throws WorkerStoreException, InterruptedException {
        try {
            return database.call(work);
        } catch (SQLException e) {
            throw new WorkerStoreException(label + " said: " + FailureText.of(e), e);
        }
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public void stop() {
        database.stop();
    }

    @Override
    public void cut() {
        database.cut();
    }

    @Override
    public void close() {
        database.close();
    }

    /** A connection whose tables were checked. */
    private record Session(Connection connection, WorkerTable table) implements DedicatedConnection.Session {

        static Session open(Connection connection, String name, boolean createTable, String label) throws SQLException {
            WorkerTable table = new WorkerTable(DatabaseProduct.of(connection), name);
            TableCheck.require(
                    connection,
                    createTable,
                    expected("The table of worker numbers", name, table.ddl(), label),
                    table.probe());
            TableCheck.require(
                    connection,
                    createTable,
                    expected("The record beside the worker numbers", table.recordTable(), table.recordDdl(), label),
                    table.recordProbe());
            return new Session(connection, table);
        }

        private static TableCheck.Expected expected(String what, String name, String ddl, String label) {
            return new TableCheck.Expected(
                    what,
                    name,
                    label,
                    ddl,
                    "SELECT, INSERT, UPDATE",
                    "; or let Hibernate create it (hibernate.hbm2ddl.auto), or the first client:"
                            + " distributedid.create_tables=true. If a migration creates it after the start, set"
                            + " distributedid.open=lazy");
        }

        StoreSnapshot read(long first, long last) throws SQLException {
            try (PreparedStatement select = connection.prepareStatement(table.select())) {
                select.setLong(1, first);
                select.setLong(2, last);
                try (ResultSet found = select.executeQuery()) {
                    List<WorkerRow> rows = new ArrayList<>();
                    long storeTime = 0;
                    String record = null;
                    while (found.next()) {
                        storeTime = found.getLong(1);
                        record = found.getString(2);
                        if (found.getString(6) != null) {
                            rows.add(new WorkerRow(
                                    found.getLong(3),
                                    StoredText.read(found.getString(4)),
                                    found.getLong(5),
                                    found.getString(6)));
                        }
                    }
                    return new StoreSnapshot(rows, storeTime, record);
                }
            }
        }

        long highest() throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(table.highest())) {
                row.next();
                long highest = row.getLong(1);
                return row.wasNull() ? -1 : highest;
            }
        }

        boolean compareAndSet(@Nullable WorkerRow expected, WorkerRow next) throws SQLException {
            try (PreparedStatement write =
                    connection.prepareStatement(expected == null ? table.insert() : table.update())) {
                bind(write, expected, next);
                return isDone(write);
            }
        }

        private static void bind(PreparedStatement write, @Nullable WorkerRow expected, WorkerRow next)
                throws SQLException {
            write.setString(1, StoredText.of(next.owner()));
            write.setLong(2, next.reservedUntil());
            write.setString(3, next.token());
            write.setLong(4, next.worker());
            if (expected != null) {
                write.setLong(5, expected.reservedUntil());
                write.setString(6, expected.token());
            }
        }

        OptionalLong renew(WorkerRow expected, WorkerRow next, StoreCondition condition) throws SQLException {
            try (PreparedStatement write = table.renewsByKey()
                    ? connection.prepareStatement(table.renew(), Statement.RETURN_GENERATED_KEYS)
                    : connection.prepareStatement(table.renew())) {
                bind(write, expected, next);
                write.setString(7, condition.record());
                write.setLong(8, condition.earliest());
                write.setLong(9, condition.latest());
                return table.renewsByKey() ? key(write) : answer(write);
            } catch (SQLException e) {
                // A proxy may not know a statement of this kind. The caller then reads, and does without it.
                if (SqlErrors.isDeadlock(e) || SqlErrors.isSyntaxOrAccess(e)) {
                    return OptionalLong.empty();
                }
                throw e;
            }
        }

        private static OptionalLong key(PreparedStatement write) throws SQLException {
            if (write.executeUpdate() != 1) {
                return OptionalLong.empty();
            }
            try (ResultSet key = write.getGeneratedKeys()) {
                if (!key.next()) {
                    throw new SQLException("The driver does not return the value of LAST_INSERT_ID after an UPDATE");
                }
                return OptionalLong.of(key.getLong(1));
            }
        }

        private static OptionalLong answer(PreparedStatement write) throws SQLException {
            try (ResultSet time = write.executeQuery()) {
                return time.next() ? OptionalLong.of(time.getLong(1)) : OptionalLong.empty();
            }
        }

        Optional<String> record(String name) throws SQLException {
            try (PreparedStatement select = connection.prepareStatement(table.selectRecord())) {
                select.setString(1, name);
                try (ResultSet row = select.executeQuery()) {
                    return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
                }
            }
        }

        Map<String, String> records() throws SQLException {
            Map<String, String> records = new TreeMap<>();
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(table.selectRecords())) {
                while (row.next()) {
                    records.put(row.getString(1), row.getString(2));
                }
            }
            return records;
        }

        boolean compareAndSetRecord(String name, @Nullable String expected, String next) throws SQLException {
            try (PreparedStatement write =
                    connection.prepareStatement(expected == null ? table.insertRecord() : table.updateRecord())) {
                write.setString(1, next);
                write.setString(2, name);
                if (expected != null) {
                    write.setString(3, expected);
                }
                return isDone(write);
            }
        }

        /** Returns false if another process was faster: no row matched, a duplicate key, or a deadlock. */
        private static boolean isDone(PreparedStatement write) throws SQLException {
            try {
                return write.executeUpdate() == 1;
            } catch (SQLException e) {
                if (SqlErrors.isDuplicateKey(e) || SqlErrors.isDeadlock(e)) {
                    return false;
                }
                throw e;
            }
        }
    }
}

package io.distributedid.internal.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends several statements in one round trip where the connection has {@code allowMultiQueries}; connections that are
 * configured by URL have it. Elsewhere each statement takes its own. No statement runs after one that failed. For one
 * thread at a time.
 *
 * @param isShared whether several statements share a trip
 */
public record MySqlTrips(Connection connection, boolean isShared) {

    /** Tries whether the connection runs several statements in one round trip. */
    public static MySqlTrips on(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DO 0; DO 0");
            return new MySqlTrips(connection, true);
        } catch (SQLException e) {
            if (e.getSQLState() != null && e.getSQLState().startsWith("42")) {
                return new MySqlTrips(connection, false);
            }
            throw e;
        }
    }

    /** Reads the rows of a query. */
    @FunctionalInterface
    public interface Reader {

        /** {@code query} counts from 0, without other statements. */
        void read(int query, ResultSet rows) throws SQLException;
    }

    /** Returns the rows of each query. Other statements add nothing. */
    public List<List<List<Object>>> run(List<String> statements) throws SQLException {
        List<List<List<Object>>> results = new ArrayList<>();
        run(statements, (query, rows) -> results.add(rows(rows)));
        return results;
    }

    /**
     * As {@link #run(List)}, in a transaction, which is repeated after a deadlock. If it fails, nothing is changed.
     * Where each statement takes its own trip, the driver begins the transaction: a proxy that shares sessions between
     * clients sees that.
     */
    public List<List<List<Object>>> runInTransaction(List<String> statements) throws SQLException {
        if (!isShared) {
            return Transactions.run(connection, () -> run(statements));
        }
        List<String> all = new ArrayList<>(statements);
        all.add(0, "START TRANSACTION");
        all.add("COMMIT");
        try {
            return Transactions.repeat(() -> run(all));
        } catch (SQLException e) {
            rollBack(e);
            throw e;
        }
    }

    /** Rolls back after {@code reason}, which stays the error if that fails too. */
    public void rollBack(Exception reason) {
        try {
            run(List.of("ROLLBACK"));
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }

    /**
     * Reads the rows of each query, in their order.
     *
     * @return how many rows the other statements have changed, in their order
     */
    public List<Integer> run(List<String> statements, Reader reader) throws SQLException {
        List<Integer> changed = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            if (isShared) {
                run(statement, String.join("; ", statements), 0, changed, reader);
            } else {
                int queries = 0;
                for (String each : statements) {
                    queries = run(statement, each, queries, changed, reader);
                }
            }
        }
        return changed;
    }

    private static int run(Statement statement, String sql, int before, List<Integer> changed, Reader reader)
            throws SQLException {
        int queries = before;
        boolean isQuery = statement.execute(sql);
        while (isQuery || statement.getUpdateCount() >= 0) {
            if (isQuery) {
                try (ResultSet result = statement.getResultSet()) {
                    reader.read(queries++, result);
                }
            } else {
                changed.add(statement.getUpdateCount());
            }
            isQuery = statement.getMoreResults();
        }
        return queries;
    }

    private static List<List<Object>> rows(ResultSet result) throws SQLException {
        List<List<Object>> rows = new ArrayList<>();
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
            List<Object> row = new ArrayList<>();
            for (int column = 1; column <= columns; column++) {
                row.add(result.getObject(column));
            }
            rows.add(row);
        }
        return rows;
    }
}

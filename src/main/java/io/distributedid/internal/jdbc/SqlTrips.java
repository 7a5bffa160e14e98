package io.distributedid.internal.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * MySQL and MariaDB: sends several statements in one round trip where the connection has {@code allowMultiQueries};
 * connections that are configured by URL have it. Elsewhere each statement takes its own. No statement runs after one
 * that failed. For one thread at a time.
 */
public final class SqlTrips {

    /** A statement with its parameters. */
    public record Sql(String text, List<?> values) {

        public static Sql of(String text, Object... values) {
            return new Sql(text, List.of(values));
        }
    }

    /** Reads the rows of a query. */
    @FunctionalInterface
    public interface Reader {

        /** {@code statement} counts from 0. */
        void read(int statement, ResultSet rows) throws SQLException;
    }

    private final Connection connection;

    private final boolean isShared;

    private SqlTrips(Connection connection, boolean isShared) {
        this.connection = connection;
        this.isShared = isShared;
    }

    /** Tries whether the connection runs several statements in one round trip. */
    public static SqlTrips on(Connection connection) throws SQLException {
        SqlTrips shared = new SqlTrips(connection, true);
        try {
            List<Integer> unused = shared.run(List.of(Sql.of("DO ?", 0), Sql.of("DO ?", 0)));
            return shared;
        } catch (SQLException e) {
            if (SqlErrors.isSyntaxOrAccess(e)) {
                return new SqlTrips(connection, false);
            }
            throw e;
        }
    }

    /** Returns how many rows each statement has changed. */
    public List<Integer> run(List<Sql> statements) throws SQLException {
        return run(statements, (statement, rows) -> {});
    }

    /**
     * Reads the rows of each query, in their order. Returns how many rows each statement has changed; -1 for a query.
     */
    public List<Integer> run(List<Sql> statements, Reader reader) throws SQLException {
        List<Integer> changed = new ArrayList<>();
        if (isShared) {
            List<Object> values = new ArrayList<>();
            statements.forEach(each -> values.addAll(each.values()));
            run(statements.stream().map(Sql::text).collect(Collectors.joining("; ")), values, changed, reader);
        } else {
            for (Sql each : statements) {
                run(each.text(), each.values(), changed, reader);
            }
        }
        return changed;
    }

    private void run(String sql, List<?> values, List<Integer> changed, Reader reader) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
            boolean isQuery = statement.execute();
            while (isQuery || statement.getUpdateCount() >= 0) {
                if (isQuery) {
                    try (ResultSet rows = statement.getResultSet()) {
                        reader.read(changed.size(), rows);
                    }
                }
                changed.add(isQuery ? -1 : statement.getUpdateCount());
                isQuery = statement.getMoreResults();
            }
        }
    }
}

package io.distributedid.backend.ticket;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs several statements in one round trip where the connection allows it ({@code allowMultiQueries}, which connections that are
 * configured by URL have), else one after the other. After the first that fails no other is run. For one thread at a time.
 */
final class Together {

    private final Connection connection;

    private final boolean inOneTrip;

    private Together(Connection connection, boolean inOneTrip) {
        this.connection = connection;
        this.inOneTrip = inOneTrip;
    }

    /** Tries it. */
    static Together on(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DO 0; DO 0");
            return new Together(connection, true);
        } catch (SQLException e) {
            if (e.getSQLState() != null && e.getSQLState().startsWith("42")) {
                return new Together(connection, false);
            }
            throw e;
        }
    }

    /** Returns the first row of each query, as objects; an empty list for one without a row. Statements that return no rows add nothing. */
    List<List<Object>> run(List<String> statements) throws SQLException {
        List<List<Object>> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            if (inOneTrip) {
                run(statement, String.join("; ", statements), rows);
            } else {
                for (String each : statements) {
                    run(statement, each, rows);
                }
            }
        }
        return rows;
    }

    private static void run(Statement statement, String sql, List<List<Object>> rows) throws SQLException {
        boolean isQuery = statement.execute(sql);
        while (isQuery || statement.getUpdateCount() >= 0) {
            if (isQuery) {
                try (ResultSet result = statement.getResultSet()) {
                    rows.add(result.next() ? row(result) : List.of());
                }
            }
            isQuery = statement.getMoreResults();
        }
    }

    private static List<Object> row(ResultSet result) throws SQLException {
        List<Object> row = new ArrayList<>();
        for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
            row.add(result.getObject(column));
        }
        return row;
    }
}

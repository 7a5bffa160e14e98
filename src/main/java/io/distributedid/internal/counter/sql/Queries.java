package io.distributedid.internal.counter.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** Queries of few rows. */
public final class Queries {

    /** Reads a row. */
    @FunctionalInterface
    public interface RowReader {

        void read(ResultSet row) throws SQLException;
    }

    private Queries() {}

    /** Reads all rows of a query with parameters. */
    public static void each(Connection connection, String query, Collection<?> values, RowReader reader)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(query)) {
            set(select, values);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    reader.read(row);
                }
            }
        }
    }

    /** Returns the text of a query with at most one row; empty if there is none. */
    public static String text(Connection connection, String query, Object... values) throws SQLException {
        StringBuilder text = new StringBuilder();
        each(connection, query, List.of(values), row -> text.append(Objects.requireNonNullElse(row.getString(1), "")));
        return text.toString();
    }

    /** Sets all parameters of a statement. */
    public static void set(PreparedStatement statement, Collection<?> values) throws SQLException {
        int parameter = 0;
        for (Object each : values) {
            statement.setObject(++parameter, each);
        }
    }
}

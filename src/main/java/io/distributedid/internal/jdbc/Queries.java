package io.distributedid.internal.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Queries of few rows. */
public final class Queries {

    /** Reads a row. */
    @FunctionalInterface
    public interface RowReader {

        void read(ResultSet row) throws SQLException;
    }

    /** Makes something of a row. */
    @FunctionalInterface
    public interface RowMapper<T> {

        T of(ResultSet row) throws SQLException;
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

    /** The first row of a query with parameters; empty if there is none. */
    public static <T> Optional<T> first(Connection connection, String query, Collection<?> values, RowMapper<T> mapper)
            throws SQLException {
        List<T> found = new ArrayList<>();
        each(connection, query, values, row -> found.add(mapper.of(row)));
        return found.stream().findFirst();
    }

    /** The text of the first row. */
    public static Optional<String> text(Connection connection, String query, Object... values) throws SQLException {
        return first(connection, query, List.of(values), row -> Objects.requireNonNullElse(row.getString(1), ""));
    }

    /** Sets all parameters of a statement. */
    public static void set(PreparedStatement statement, Collection<?> values) throws SQLException {
        int parameter = 0;
        for (Object each : values) {
            statement.setObject(++parameter, each);
        }
    }
}

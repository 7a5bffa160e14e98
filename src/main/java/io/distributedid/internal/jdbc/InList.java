package io.distributedid.internal.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;

/** The parameters of an SQL list: {@code IN (?, ?, ?)}. */
public final class InList {

    private InList() {}

    /** {@code IN (?, ?, ?)} for a list that is not empty. */
    public static String of(int size) {
        return "IN (?" + ", ?".repeat(size - 1) + ")";
    }

    /** Sets the parameters after the first {@code before} ones. */
    public static void set(PreparedStatement statement, int before, Collection<String> values) throws SQLException {
        int parameter = before;
        for (String value : values) {
            statement.setString(++parameter, value);
        }
    }
}

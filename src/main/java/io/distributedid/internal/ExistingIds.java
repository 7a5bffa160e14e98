package io.distributedid.internal;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Looks up which ids exist, before a counter goes on where AUTO_INCREMENT or another generator ended. */
public final class ExistingIds {

    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private ExistingIds() {}

    /**
     * The largest id in a table. The column should have an index.
     *
     * @param connection to the table's database
     * @param table as in SQL
     * @param column as in SQL, numeric
     * @return 0 if the table is empty or missing; 2^63-1 if an id is larger
     * @throws SQLException if the server failed
     */
    public static long max(Connection connection, String table, String column) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT MAX(" + column + ") FROM " + table)) {
            row.next();
            BigDecimal max = row.getBigDecimal(1);
            return max == null ? 0 : max.min(MAX).max(BigDecimal.ZERO).longValue();
        } catch (SQLException e) {
            if (SqlStates.tableIsMissing(e)) {
                return 0;
            }
            throw e;
        }
    }
}

package io.distributedid.internal;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Looks up which ids exist, before a counter goes on where AUTO_INCREMENT or another generator ended. */
public final class ExistingIds {

    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private static final long NEAR = 10_000;

    private static final long FAR = 1_000_000;

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
        List<Long> max = read(connection, "SELECT MAX(" + column + ") FROM " + table);
        return max.isEmpty() ? 0 : max.get(0);
    }

    /**
     * The largest ids in a table, one for each remainder: of each server, if several divide the ids between them. A server whose
     * ids lie more than a million below the largest is not found, which keeps the search short.
     *
     * @param connection to the table's database
     * @param table as in SQL
     * @param column as in SQL, numeric, with an index
     * @param step how many remainders there are
     * @return none if the table is empty or missing
     * @throws SQLException if the server failed
     */
    public static List<Long> maxOfEachRemainder(Connection connection, String table, String column, long step)
            throws SQLException {
        long max = max(connection, table, column);
        if (step == 1 || max == 0) {
            return max == 0 ? List.of() : List.of(max);
        }
        List<Long> found = maxOfEachRemainder(connection, table, column, step, max - NEAR);
        return found.size() == step || max <= NEAR
                ? found
                : maxOfEachRemainder(connection, table, column, step, max - FAR);
    }

    private static List<Long> maxOfEachRemainder(
            Connection connection, String table, String column, long step, long above) throws SQLException {
        return read(
                connection,
                "SELECT MAX(" + column + ") FROM " + table + " WHERE " + column + " > " + above + " GROUP BY MOD("
                        + column + ", " + step + ")");
    }

    private static List<Long> read(Connection connection, String sql) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                BigDecimal id = row.getBigDecimal(1);
                if (id != null && id.signum() > 0) {
                    ids.add(id.min(MAX).longValue());
                }
            }
        } catch (SQLException e) {
            if (!SqlStates.tableIsMissing(e)) {
                throw e;
            }
        }
        return ids;
    }
}

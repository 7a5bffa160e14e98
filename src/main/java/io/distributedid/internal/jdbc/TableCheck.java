package io.distributedid.internal.jdbc;

import io.distributedid.IdConfigurationException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Checks that a table exists. */
public final class TableCheck {

    private TableCheck() {}

    /**
     * Checks that a table exists with its columns.
     *
     * @param create whether to run {@code ddl} first
     * @param ddl {@code CREATE TABLE IF NOT EXISTS}
     * @param probe a query that returns no row and names the table's columns
     * @param missing the message if the table does not exist
     * @throws SQLException also if a column is missing
     */
    public static void require(Connection connection, boolean create, String ddl, String probe, String missing)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (create) {
                create(statement, ddl);
            }
            statement.executeQuery(probe).close();
        } catch (SQLException e) {
            if (SqlErrors.tableIsMissing(e)) {
                throw new IdConfigurationException(missing, e);
            }
            throw e;
        }
    }

    /**
     * Runs {@code CREATE TABLE IF NOT EXISTS}. If two sessions run it at once, PostgreSQL lets one of them fail after
     * the other has committed; that error is ignored.
     */
    public static void create(Statement statement, String ddl) throws SQLException {
        try {
            statement.execute(ddl);
        } catch (SQLException e) {
            if (!SqlErrors.isDuplicateKey(e) && !SqlErrors.tableExists(e)) {
                throw e;
            }
        }
    }
}

package io.distributedid.internal.jdbc;

import io.distributedid.IdConfigurationException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Looks whether a table is there. */
public final class TableCheck {

    private TableCheck() {}

    /**
     * Requires a table, creating it if it may.
     *
     * @param connection to its database
     * @param create whether to run {@code ddl} first
     * @param ddl creates the table unless it exists
     * @param probe a query that returns no row and names the table's columns
     * @param missing the message if the table does not exist
     * @throws SQLException if the server failed, or a column is missing
     * @throws IdConfigurationException if the table does not exist
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
     * Creates a table unless it exists. Of two that do so at once PostgreSQL fails one, in spite of IF NOT EXISTS,
     * after the other has done it.
     *
     * @param statement to be used
     * @param ddl creates the table unless it exists
     * @throws SQLException if the server failed
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

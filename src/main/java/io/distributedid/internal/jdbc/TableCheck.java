package io.distributedid.internal.jdbc;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Checks that a table exists. */
public final class TableCheck {

    /** The end of a message if Hibernate's schema export has the table. */
    public static final String CREATED_BY_HIBERNATE =
            "; or let Hibernate create it (hibernate.hbm2ddl.auto), or the first client:"
                    + " distributedid.create_tables=true. If a migration creates it after the start, set"
                    + " distributedid.open=lazy";

    private TableCheck() {}

    /**
     * A table that must be there, for messages.
     *
     * @param what begins a sentence, as in "The ticket table"
     * @param name in SQL
     * @param label of its server
     * @param ddl as {@code CREATE TABLE IF NOT EXISTS}
     * @param rights what its user needs, separated by commas
     * @param orElse what else creates it, begins with {@code ;} unless it is empty
     */
    public record Expected(String what, String name, String label, String ddl, String rights, String orElse) {

        private IdConfigurationException refused(String why, SQLException e, String fix) {
            return new IdConfigurationException(what + why + ": table=" + name + " on " + label + ". " + fix, e);
        }

        private String grant() {
            return "GRANT " + rights + " ON " + name + " to the user";
        }
    }

    /**
     * Checks that a table exists with its columns.
     *
     * @param create whether to run its DDL if it is missing
     * @param probe a query that returns no row and names the table's columns
     * @throws IdConfigurationException if it is missing, or may be, and the user can't create it
     * @throws SQLException also if a column is missing
     */
    public static void require(Connection connection, boolean create, Expected table, String probe)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            try {
                probe(statement, table, probe);
                if (create && DatabaseProduct.of(connection) == DatabaseProduct.H2) {
                    // H2 shows a table before it has its keys: this waits for whoever creates it.
                    boolean unused = isCreated(statement, table.ddl);
                }
            } catch (SQLException e) {
                if (!SqlErrors.tableIsMissing(e) && !SqlErrors.tableMayBeMissing(e)) {
                    throw e;
                }
                if (!create || !isCreated(statement, table.ddl)) {
                    throw missing(e, table);
                }
                probe(statement, table, probe);
            }
        }
    }

    /** MySQL does not tell a user without rights whether the table exists. */
    private static IdConfigurationException missing(SQLException e, Expected table) {
        String create = table.ddl + table.orElse;
        return SqlErrors.tableIsMissing(e)
                ? table.refused(" is missing", e, "Create it: " + create)
                : table.refused(
                        " is missing, or the user lacks a right",
                        e,
                        said(e) + "If the table exists, " + table.grant() + ". If not, create it: " + create);
    }

    /** Returns false if the user may not create it. */
    private static boolean isCreated(Statement statement, String ddl) throws SQLException {
        try {
            create(statement, ddl);
            return true;
        } catch (SQLException e) {
            if (SqlErrors.isSyntaxOrAccess(e)) {
                return false;
            }
            throw e;
        }
    }

    private static void probe(Statement statement, Expected table, String probe) throws SQLException {
        try {
            statement.executeQuery(probe).close();
        } catch (SQLException e) {
            if (SqlErrors.isDenied(e)) {
                throw denied(e, table);
            }
            throw e;
        }
    }

    /** A right to a table that is there is missing. */
    public static IdConfigurationException denied(SQLException e, Expected table) {
        return table.refused(" can't be used, because the user lacks a right", e, said(e) + table.grant());
    }

    private static String said(SQLException e) {
        return "The server said: " + e.getMessage() + ". ";
    }

    /**
     * Runs {@code CREATE TABLE IF NOT EXISTS}. If two sessions run it at once, PostgreSQL lets one of them fail after
     * the other has committed; that error is ignored. MySQL ends one of several as the victim of a deadlock.
     */
    public static void create(Statement statement, String ddl) throws SQLException {
        try {
            boolean unused = Transactions.repeat(() -> statement.execute(ddl));
        } catch (SQLException e) {
            if (!SqlErrors.isDuplicateKey(e) && !SqlErrors.tableExists(e)) {
                throw e;
            }
        }
    }

    /** How PostgreSQL keeps a table: {@code p} over a crash. */
    public static String persistence(Connection connection, String table) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT relpersistence FROM pg_class WHERE oid = CAST(? AS regclass)")) {
            select.setString(1, table);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getString(1) : "unknown";
            }
        }
    }
}

package io.distributedid.backend.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.jdbc.SqlErrors;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/**
 * H2: a table in a file must be CACHED. A table of the type MEMORY may be NOT PERSISTENT, which only an administrator
 * sees. In a database in memory any table is allowed: its rows live as long as the database.
 */
final class H2SequenceTableStorage implements SequenceTableStorage {

    private static final String CACHED = "CACHED";

    @Override
    public Found read(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet none = statement.executeQuery("SELECT * FROM " + table + " WHERE 1 = 0")) {
            ResultSetMetaData names = none.getMetaData();
            return read(connection, names.getSchemaName(1), names.getTableName(1));
        }
    }

    private static Found read(Connection connection, String schema, String table) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT t.TABLE_TYPE, t.STORAGE_TYPE, DATABASE_PATH(), EXISTS (SELECT 1 FROM"
                        + " INFORMATION_SCHEMA.INDEX_COLUMNS c WHERE c.TABLE_SCHEMA = t.TABLE_SCHEMA AND c.TABLE_NAME ="
                        + " t.TABLE_NAME AND c.IS_UNIQUE GROUP BY c.INDEX_SCHEMA, c.INDEX_NAME HAVING COUNT(*) = 1 AND"
                        + " MAX(LOWER(c.COLUMN_NAME)) = 'name') FROM INFORMATION_SCHEMA.TABLES t"
                        + " WHERE t.TABLE_SCHEMA = ? AND t.TABLE_NAME = ? ORDER BY t.TABLE_TYPE = 'BASE TABLE'")) {
            select.setString(1, schema);
            select.setString(2, table);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    return found("unknown", Verdict.NO_TABLE, false);
                }
                return found(row.getString(1), row.getString(2), row.getString(3) != null, row.getBoolean(4));
            }
        } catch (SQLException e) {
            if (SqlErrors.tableIsMissing(e)) {
                throw new IdConfigurationException(
                        "A sequence table needs H2's present information schema: OLD_INFORMATION_SCHEMA=TRUE, allowed:"
                                + " FALSE. Take it out of the URL "
                                + JdbcUrl.label(connection.getMetaData().getURL()),
                        e);
            }
            throw e;
        }
    }

    private static Found found(String type, String storage, boolean inFile, boolean uniqueNames) {
        if (!type.toUpperCase(Locale.ROOT).equals("BASE TABLE")) {
            return found(type, Verdict.NO_TABLE, uniqueNames);
        }
        return found(storage, inFile && !storage.equals(CACHED) ? Verdict.VOLATILE : Verdict.DURABLE, uniqueNames);
    }

    private static Found found(String storage, Verdict verdict, boolean uniqueNames) {
        return new Found("storage=" + storage + ", allowed: " + CACHED, verdict, uniqueNames);
    }

    @Override
    public String makeDurable(String table) {
        String unqualified = table.substring(table.lastIndexOf('.') + 1);
        return "ALTER TABLE " + table + " RENAME TO " + unqualified + "_in_memory; CREATE CACHED TABLE " + table
                + " (name VARCHAR(50) NOT NULL PRIMARY KEY, id BIGINT NOT NULL DEFAULT 0) AS SELECT name, id FROM "
                + table + "_in_memory";
    }
}

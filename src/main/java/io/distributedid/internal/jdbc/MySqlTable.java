package io.distributedid.internal.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The engine and the unique keys of a table on MySQL or MariaDB:
 *
 * <pre>
 * SELECT COALESCE(ENGINE, TABLE_TYPE) FROM information_schema.TABLES WHERE TABLE_SCHEMA = ... AND TABLE_NAME = ...;
 * SHOW CREATE TABLE sequence;
 * SHOW INDEX FROM sequence;
 * </pre>
 *
 * <p>{@code information_schema} gives the engine, because {@code SHOW CREATE TABLE} omits it if the session's
 * {@code sql_mode} is {@code ANSI}, or {@code ORACLE} on MariaDB. {@code SHOW CREATE TABLE} finds temporary tables,
 * which {@code information_schema} does not list. A temporary table hides a table of the same name.
 *
 * @param engine of a plain table; otherwise {@code TEMPORARY}, {@code VIEW}, ...
 * @param uniqueKeys the columns of each key, in lower case; an indexed prefix has its length in characters appended:
 *     {@code name(10)}
 */
public record MySqlTable(String engine, List<List<String>> uniqueKeys) {

    /** Reads the table {@code table} or {@code schema.table}. */
    public static MySqlTable read(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            boolean isTemporary = isTemporary(statement.executeQuery(ddlQuery(table)));
            String engine = isTemporary ? "TEMPORARY" : engine(statement.executeQuery(engineQuery(table)));
            return new MySqlTable(engine, uniqueKeys(statement.executeQuery(keysQuery(table))));
        }
    }

    /** The query that {@link #isTemporary} needs. */
    public static String ddlQuery(String table) {
        return "SHOW CREATE TABLE " + table;
    }

    /** Reads whether a name means a temporary table. */
    public static boolean isTemporary(ResultSet row) throws SQLException {
        return row.next() && row.getString(2).startsWith("CREATE TEMPORARY ");
    }

    /**
     * The query of the engine of a table whose schema may be quoted; without a row if there is no such table, or only a
     * temporary one. MariaDB finds a name in another case too: the exact match sorts first.
     */
    public static String engineQuery(String table) {
        int dot = table.lastIndexOf('.');
        String schema = dot < 0
                ? "DATABASE()"
                : "'" + table.substring(0, dot).replace("`", "").replace("'", "''") + "'";
        String name = "'" + table.substring(dot + 1) + "'";
        return "SELECT COALESCE(ENGINE, TABLE_TYPE) FROM information_schema.TABLES WHERE TABLE_SCHEMA = " + schema
                + " AND TABLE_NAME = " + name + " ORDER BY CAST(TABLE_NAME AS BINARY) = CAST(" + name
                + " AS BINARY) DESC LIMIT 1";
    }

    /** Reads the engine. */
    public static String engine(ResultSet row) throws SQLException {
        return row.next() ? row.getString(1) : "unknown";
    }

    /** The query that {@link #uniqueKeys(ResultSet)} needs. */
    public static String keysQuery(String table) {
        return "SHOW INDEX FROM " + table;
    }

    /** Reads the columns of each unique key. */
    public static List<List<String>> uniqueKeys(ResultSet row) throws SQLException {
        Map<String, List<String>> keys = new TreeMap<>();
        while (row.next()) {
            if (row.getInt("Non_unique") == 0) {
                String column = String.valueOf(row.getString("Column_name")).toLowerCase(Locale.ROOT);
                String characters = row.getString("Sub_part");
                keys.computeIfAbsent(row.getString("Key_name"), key -> new ArrayList<>())
                        .add(characters == null ? column : column + "(" + characters + ")");
            }
        }
        return List.copyOf(keys.values());
    }
}

package io.distributedid.internal.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
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
 * SELECT table_type, engine FROM information_schema.tables WHERE table_schema = ... AND table_name = ...;
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
            String engine = isTemporary ? "TEMPORARY" : engine(connection, table);
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
     * A schema may be quoted. MariaDB's information_schema finds a name in another case too: the exact match is first.
     */
    private static String engine(Connection connection, String table) throws SQLException {
        int dot = table.lastIndexOf('.');
        String name = table.substring(dot + 1);
        try (PreparedStatement select =
                connection.prepareStatement("SELECT table_type, engine FROM information_schema.tables"
                        + " WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ?"
                        + " ORDER BY CAST(table_name AS BINARY) = CAST(? AS BINARY) DESC")) {
            select.setString(1, dot < 0 ? null : table.substring(0, dot).replace("`", ""));
            select.setString(2, name);
            select.setString(3, name);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    return "unknown";
                }
                String engine = row.getString(2);
                return engine == null ? row.getString(1) : engine;
            }
        }
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

package io.distributedid.backend.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.jdbc.MySqlTable;
import io.distributedid.internal.jdbc.Queries;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * How a sequence table is created, and which tables are refused because they may give an id twice: the column
 * {@code id} ends before 2^63-1 or rounds, a crash empties the table, or it may hold a name twice. A query without rows
 * shows the columns, the catalog shows the rest.
 *
 * @param property what tells whether a table is durable
 * @param durable its value
 * @param makeDurable DDL; {@code %1$s} is the table, {@code %2$s} its name without the schema
 * @param idTypes the types that {@code id} may have
 * @param widen DDL
 * @param catalog a query for the value of the property, and whether a key makes each name unique
 */
record SequenceTableLook(
        String property, String durable, String makeDurable, String idTypes, String widen, String catalog) {

    /**
     * MySQL and MariaDB. MEMORY is empty after a restart, and MyISAM and Aria lose rows in a crash. A DECIMAL is
     * refused: without strict mode, {@code LAST_INSERT_ID(id + n)} of a DECIMAL gives 2^63-1 again and again.
     */
    private static final SequenceTableLook MYSQL = new SequenceTableLook(
            "engine",
            "InnoDB",
            "ALTER TABLE %s ENGINE=InnoDB",
            "BIGINT UNSIGNED, BIGINT",
            "ALTER TABLE %s MODIFY id BIGINT UNSIGNED NOT NULL DEFAULT 0",
            "");

    /**
     * An UNLOGGED table is empty after a crash, a TEMPORARY one belongs to one session. {@code regclass} finds the
     * table as SQL does. {@code ON CONFLICT (name)} can't use a key that is partial, deferrable or on an expression.
     */
    private static final SequenceTableLook POSTGRESQL = new SequenceTableLook(
            "persistence",
            "LOGGED",
            "ALTER TABLE %s SET LOGGED",
            "BIGINT, NUMERIC(19) or wider",
            "ALTER TABLE %s ALTER COLUMN id SET DATA TYPE BIGINT",
            "SELECT CASE WHEN relkind IN ('v', 'm') THEN 'VIEW' WHEN relkind <> 'r' THEN 'relkind '"
                    + " || CAST(relkind AS TEXT) WHEN relpersistence = 'p' THEN 'LOGGED'"
                    + " WHEN relpersistence = 'u' THEN 'UNLOGGED'"
                    + " ELSE 'TEMPORARY' END, EXISTS (SELECT 1 FROM pg_index i JOIN pg_attribute a"
                    + " ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] WHERE i.indrelid = c.oid"
                    + " AND a.attname = 'name' AND i.indnkeyatts = 1 AND i.indisunique AND i.indisvalid"
                    + " AND i.indimmediate AND i.indpred IS NULL) FROM pg_class c WHERE c.oid = CAST(? AS regclass)");

    /**
     * In a file, a table of the type MEMORY may be NOT PERSISTENT, which only an administrator sees. In a database in
     * memory any table is allowed: its rows live as long as the database.
     */
    private static final SequenceTableLook H2 = new SequenceTableLook(
            "storage",
            "CACHED",
            "ALTER TABLE %1$s RENAME TO %2$s_in_memory; CREATE CACHED TABLE %1$s (name VARCHAR(50) NOT NULL PRIMARY"
                    + " KEY, id BIGINT NOT NULL DEFAULT 0) AS SELECT name, id FROM %1$s_in_memory",
            POSTGRESQL.idTypes,
            POSTGRESQL.widen,
            "SELECT CASE WHEN t.TABLE_TYPE <> 'BASE TABLE' THEN t.TABLE_TYPE WHEN DATABASE_PATH() IS NULL THEN 'CACHED'"
                    + " ELSE t.STORAGE_TYPE END, EXISTS (SELECT 1 FROM INFORMATION_SCHEMA.INDEX_COLUMNS c"
                    + " WHERE c.TABLE_SCHEMA = t.TABLE_SCHEMA AND c.TABLE_NAME = t.TABLE_NAME AND c.IS_UNIQUE"
                    + " GROUP BY c.INDEX_SCHEMA, c.INDEX_NAME HAVING COUNT(*) = 1 AND MAX(LOWER(c.COLUMN_NAME))"
                    + " = 'name') FROM INFORMATION_SCHEMA.TABLES t WHERE t.TABLE_SCHEMA = ? AND t.TABLE_NAME = ?"
                    + " ORDER BY t.TABLE_TYPE = 'BASE TABLE'");

    private static final Pattern NO_TABLE = Pattern.compile("TEMPORARY|VIEW|SEQUENCE|relkind|unknown");

    private record Found(String storage, boolean hasUniqueNames) {}

    static String ddl(DatabaseProduct product, String table) {
        boolean isMySql = of(product).equals(MYSQL);
        return "CREATE TABLE IF NOT EXISTS " + table + " (name VARCHAR(50) NOT NULL PRIMARY KEY, id "
                + (isMySql ? "BIGINT UNSIGNED" : "BIGINT") + " NOT NULL DEFAULT 0)" + (isMySql ? " ENGINE=InnoDB" : "");
    }

    private static SequenceTableLook of(DatabaseProduct product) {
        return switch (product) {
            case MYSQL, MARIADB -> MYSQL;
            case POSTGRESQL -> POSTGRESQL;
            case H2 -> H2;
        };
    }

    static void require(Connection connection, String table, String label) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet none = statement.executeQuery("SELECT * FROM " + table + " WHERE 1 = 0")) {
            of(DatabaseProduct.of(connection)).require(connection, table, label, none.getMetaData());
        }
    }

    private void require(Connection connection, String table, String label, ResultSetMetaData columns)
            throws SQLException {
        String where = "table=" + table + " on " + label;
        Found found = found(connection, table, columns);
        if (!found.storage.equalsIgnoreCase(durable)) {
            throw new IdConfigurationException("A sequence table must not lose rows in a crash: " + where + " "
                    + property + "=" + found.storage + ", allowed: " + durable + ". "
                    + (NO_TABLE.matcher(found.storage).find()
                            ? "Name a plain table: distributedid.sequence_table.table"
                            : "Change it: " + fix(makeDurable, table) + ". If the server has crashed since the table"
                                    + " was created, first raise its rows above every id in use"));
        }
        TreeMap<String, Integer> names = new TreeMap<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            names.put(columns.getColumnLabel(i).toLowerCase(Locale.ROOT), i);
        }
        Integer id = names.get("id");
        if (id == null || !names.containsKey("name")) {
            throw new IdConfigurationException("A sequence table must have the columns name and id: " + where
                    + " columns=" + names.keySet() + ", allowed: name VARCHAR(50), id " + idTypes
                    + ". Name such a table: distributedid.sequence_table.table");
        }
        if (!isWide(columns, id)) {
            throw new IdConfigurationException("A sequence table's ids must be whole numbers of 64 bits: " + where
                    + " id=" + columns.getColumnTypeName(id) + ", allowed: " + idTypes
                    + ". Give the column that type: " + fix(widen, table));
        }
        if (!found.hasUniqueNames) {
            throw new IdConfigurationException("A sequence table must have one row for each name: " + where
                    + " has no primary or unique key on the column name alone. Keep the highest row of each name, and"
                    + " add a key: ALTER TABLE " + table + " ADD UNIQUE (name)");
        }
    }

    private static String fix(String ddl, String table) {
        return String.format(ddl, table, table.substring(table.lastIndexOf('.') + 1));
    }

    private boolean isWide(ResultSetMetaData columns, int id) throws SQLException {
        int type = columns.getColumnType(id);
        boolean isDecimal = type == Types.DECIMAL || type == Types.NUMERIC;
        return type == Types.BIGINT
                || (isDecimal && !equals(MYSQL) && columns.getScale(id) == 0 && columns.getPrecision(id) >= 19);
    }

    private Found found(Connection connection, String table, ResultSetMetaData columns) throws SQLException {
        if (equals(MYSQL)) {
            MySqlTable found = MySqlTable.read(connection, table);
            return new Found(found.engine(), found.uniqueKeys().contains(List.of("name")));
        }
        try {
            return Queries.first(
                            connection,
                            catalog,
                            equals(H2) ? List.of(columns.getSchemaName(1), columns.getTableName(1)) : List.of(table),
                            row -> new Found(row.getString(1), row.getBoolean(2)))
                    .orElseGet(() -> new Found("unknown", false));
        } catch (SQLException e) {
            if (equals(H2) && SqlErrors.tableIsMissing(e)) {
                throw new IdConfigurationException(
                        "A sequence table needs H2's current information schema: OLD_INFORMATION_SCHEMA=TRUE, allowed:"
                                + " FALSE. Remove the option from the URL "
                                + JdbcUrl.label(connection.getMetaData().getURL()),
                        e);
            }
            throw e;
        }
    }
}

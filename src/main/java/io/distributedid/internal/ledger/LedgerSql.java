package io.distributedid.internal.ledger;

import io.distributedid.internal.jdbc.Durability;
import io.distributedid.internal.jdbc.InList;
import io.distributedid.internal.jdbc.StoredText;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.SchemaObject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The SQL of a ledger's table, here on MySQL. Rows are read with the server's time, which comes as the number of a row
 * without a name:
 *
 * <pre>
 * SELECT name, version, number, state, text FROM distributedid WHERE name IN ('sequence', 'sequence/photos')
 *     UNION ALL SELECT NULL, NULL, ...the server's time..., NULL, NULL;
 * INSERT IGNORE INTO distributedid (name, version, number, state, text)
 *     SELECT ... FROM (SELECT ... AS name, ... UNION ALL SELECT ...) v;
 * UPDATE (SELECT ... AS name, ... AS expected, ... UNION ALL SELECT ...) v
 *     STRAIGHT_JOIN distributedid l ON l.name = v.name AND l.version = v.expected
 *     SET l.version = v.version, l.number = GREATEST(l.number, v.number), ...;
 * </pre>
 *
 * On PostgreSQL the rows are locked in the order of their names before any is changed:
 *
 * <pre>
 * WITH k AS MATERIALIZED (SELECT v.* FROM (VALUES ...) v (name, ...)
 *     JOIN distributedid l ON l.name = v.name AND l.version = v.expected ORDER BY l.name FOR UPDATE OF l)
 * UPDATE distributedid l SET version = v.version, ... FROM k v WHERE l.name = v.name;
 * </pre>
 *
 * <p><b>Rows that others have locked.</b> For leases, the rows are locked with {@code SKIP LOCKED} before any is
 * changed: one row that an idle transaction holds must not keep all others from being renewed. On MySQL and H2 that is
 * done in the table {@code v}. On MySQL, its LIMIT keeps the optimizer from dissolving it:
 *
 * <pre>
 * UPDATE (SELECT v.* FROM (SELECT ...) v STRAIGHT_JOIN distributedid l ON l.name = v.name AND l.version = v.expected
 *     LIMIT 64 FOR UPDATE SKIP LOCKED) v
 *     STRAIGHT_JOIN distributedid l ON ... SET ...;
 * </pre>
 *
 * <p><b>Why the version is a fence.</b> Each statement compares the version in the row that it has locked, also after a
 * wait: MySQL and MariaDB join the latest row, at every isolation level; PostgreSQL at READ COMMITTED evaluates the
 * join of {@code k} again for a row that was changed meanwhile, and at higher levels fails with 40001; so does H2.
 * There is no subquery in a condition: it would be evaluated before the wait.
 *
 * <p><b>Lock order</b>: rows of the ledger in the order of their names, then counters. A store that draws takes both in
 * one transaction of its own: {@link SqlLedger#lock} and {@link SqlLedger#raise}, or {@link #IS_OPEN} in a statement
 * that joins both tables.
 *
 * <p>On PostgreSQL each statement also makes its commit durable, see {@link Durability#OF_TRANSACTION}.
 *
 * @param table perhaps with its schema
 */
public record LedgerSql(DatabaseProduct product, String table) {

    /** The name of the table, in the schema of the ids. */
    public static final String NAME = "distributedid";

    /** The condition of a draw on the ledger's row {@code l}. Takes name and version. */
    public static final String IS_OPEN = "l.name = ? AND l.version = ? AND l.state = 'OPEN'";

    public static final String COLUMNS = "name, version, number, state, text";

    /** The ledger in the schema of the table {@code beside}. */
    public static LedgerSql beside(DatabaseProduct product, String beside) {
        return new LedgerSql(product, beside.substring(0, beside.lastIndexOf('.') + 1) + NAME);
    }

    public boolean isMySql() {
        return product == DatabaseProduct.MYSQL || product == DatabaseProduct.MARIADB;
    }

    /** Creates the table unless it is there. Only a new one gets a row, which tells it from an emptied one. */
    public String ddl() {
        String columns = table + " (name " + StoredText.type(product, Row.NAME_LENGTH) + " NOT NULL, version "
                + StoredText.type(product, Version.LENGTH) + " NOT NULL, number BIGINT NOT NULL, state "
                + StoredText.type(product, Row.STATE_LENGTH) + " NOT NULL, text "
                + StoredText.type(product, Row.TEXT_LENGTH) + " NOT NULL, PRIMARY KEY (name))";
        String row = "SELECT '" + Ledger.STORE + "' AS name, '1-new' AS version, 0 AS number, '" + Row.State.NEW
                + "' AS state, " + StoredText.EMPTY + " AS text";
        return switch (product) {
            case MYSQL, MARIADB -> "CREATE TABLE IF NOT EXISTS " + columns + " ENGINE=InnoDB AS " + row;
            case H2 -> "CREATE TABLE IF NOT EXISTS " + columns + " AS " + row;
            case POSTGRESQL ->
                "DO $$ BEGIN CREATE TABLE " + columns + "; INSERT INTO " + table + " " + row
                        + "; EXCEPTION WHEN duplicate_table OR unique_violation THEN NULL; END $$";
        };
    }

    /** The table for a schema export. */
    public SchemaObject schemaObject() {
        return new SchemaObject.Table(table, name -> new LedgerSql(product, name).ddl());
    }

    /** Whether the names of a table that differ in the case of letters only are one. */
    public static boolean ignoresCase(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM (SELECT name FROM " + table
                        + " WHERE 1 = 0 UNION ALL SELECT 'a') v WHERE name = 'A'")) {
            row.next();
            return row.getInt(1) > 0;
        }
    }

    /** Names all columns, and returns no row. */
    String probe() {
        return "SELECT " + COLUMNS + " FROM " + table + " WHERE 1 = 0";
    }

    /** Takes the names. The last row is the one with the time, read after the others. */
    String read(int names) {
        return "SELECT " + COLUMNS + " FROM " + table + " WHERE " + (names == 0 ? "1 = 0" : "name " + InList.of(names))
                + " UNION ALL SELECT NULL, NULL, " + millis() + ", NULL, NULL";
    }

    /** In UTC, since hours of a session's time zone may repeat. */
    private String millis() {
        return switch (product) {
            case MYSQL, MARIADB ->
                "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000";
            case POSTGRESQL -> "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
            case H2 -> "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000 AS BIGINT)";
        };
    }

    /**
     * Locks rows in the order of their names, for the rest of the caller's transaction, and returns them as they are
     * under the lock. Takes the names. MySQL must not scan a small table, and lock all its rows.
     */
    String lock(int names) {
        return "SELECT " + COLUMNS + " FROM " + table + (isMySql() ? " FORCE INDEX (PRIMARY)" : "") + " WHERE name "
                + InList.of(names) + durably() + " ORDER BY name FOR UPDATE";
    }

    private String durably() {
        return product == DatabaseProduct.POSTGRESQL ? Durability.OF_TRANSACTION : "";
    }

    /** Creates rows, and keeps those that are there, or raises their numbers. Takes the values of {@link #rows}. */
    String insert(int rows, boolean raises) {
        String into = "INTO " + table + " (" + COLUMNS + ") SELECT " + COLUMNS + " FROM " + rows(rows);
        String number = " number = GREATEST(" + NAME + ".number, ";
        return switch (product) {
            case MYSQL, MARIADB ->
                raises
                        ? "INSERT " + into + " ON DUPLICATE KEY UPDATE" + number + "VALUES(number))"
                        : "INSERT IGNORE " + into;
            case POSTGRESQL ->
                "INSERT " + into + " WHERE 1 = 1" + durably() + " ON CONFLICT (name) DO "
                        + (raises ? "UPDATE SET" + number + "excluded.number)" : "NOTHING");
            // It fails with a duplicate key if another client creates a row at once.
            case H2 ->
                "MERGE INTO " + table + " l USING " + rows(rows) + " ON l.name = v.name"
                        + (raises ? " WHEN MATCHED AND l.number < v.number THEN UPDATE SET number = v.number" : "")
                        + " WHEN NOT MATCHED THEN INSERT (" + COLUMNS
                        + ") VALUES (v.name, v.version, v.number, v.state, v.text)";
        };
    }

    /**
     * Changes rows that have the expected versions. Takes the values of {@link #rows}.
     *
     * @param skipsLocked whether rows that others have locked are left as they are; else the statement waits
     */
    String update(int rows, boolean skipsLocked) {
        String join = table + " l ON l.name = v.name AND l.version = v.expected";
        String joined = isMySql() ? " STRAIGHT_JOIN " + join : " JOIN " + join;
        String free = "(SELECT v.* FROM " + rows(rows) + joined + (isMySql() ? " LIMIT " + rows : "")
                + " FOR UPDATE SKIP LOCKED) v";
        String from = skipsLocked ? free : rows(rows);
        String to = isMySql() ? "l." : "";
        String set = " SET " + to + "version = v.version, " + to + "number = CASE WHEN v.lowers = 1 THEN v.number"
                + " ELSE GREATEST(l.number, v.number) END, " + to + "state = v.state, " + to + "text = v.text";
        return switch (product) {
            case MYSQL, MARIADB -> "UPDATE " + from + joined + set;
            case POSTGRESQL ->
                "WITH k AS MATERIALIZED (SELECT v.* FROM " + rows(rows) + joined + " WHERE 1 = 1" + durably()
                        + " ORDER BY l.name FOR UPDATE OF l" + (skipsLocked ? " SKIP LOCKED" : "") + ") UPDATE "
                        + table + " l" + set + " FROM k v WHERE l.name = v.name";
            case H2 ->
                "MERGE INTO " + table + " l USING " + from + join.substring((table + " l").length())
                        + " WHEN MATCHED THEN UPDATE" + set;
        };
    }

    /**
     * The table {@code v} of changes, in the order of their names. Takes of each the columns, the expected version, and
     * 1 or 0 for {@link Change#lowers}. On MySQL its texts have the character set of the table, whatever that of the
     * session, so that the key is used.
     */
    private String rows(int rows) {
        String values = "?, ?, ?, ?, ?, ?, ?";
        if (!isMySql()) {
            String text = "CAST(? AS " + (product == DatabaseProduct.H2 ? "VARCHAR_CASESENSITIVE), " : "TEXT), ");
            return "(VALUES (" + text + text + "CAST(? AS BIGINT), " + text + text + text + "CAST(? AS INT))"
                    + (", (" + values + ")").repeat(rows - 1) + ") v (" + COLUMNS + ", expected, lowers)";
        }
        return "(SELECT " + text(Row.NAME_LENGTH) + " AS name, " + text(Version.LENGTH)
                + " AS version, CAST(? AS SIGNED) AS number, " + text(Row.STATE_LENGTH) + " AS state, "
                + text(Row.TEXT_LENGTH) + " AS text, " + text(Version.LENGTH)
                + " AS expected, CAST(? AS SIGNED) AS lowers" + (" UNION ALL SELECT " + values).repeat(rows - 1)
                + ") v";
    }

    private static String text(int length) {
        return "CAST(? AS CHAR(" + length + ") CHARACTER SET utf8mb4) COLLATE utf8mb4_bin";
    }
}

package io.distributedid.backend.snowflake.lease;

import io.distributedid.internal.jdbc.StoredText;
import io.distributedid.spi.DatabaseProduct;

/**
 * The SQL of the table that holds worker numbers, here on MySQL:
 *
 * <pre>
 * SELECT ... FROM snowflake_worker WHERE worker BETWEEN 0 AND 1023;
 * INSERT INTO snowflake_worker (worker, owner, reserved_until, token) VALUES (...);
 * UPDATE snowflake_worker SET owner = ..., reserved_until = ..., token = ...
 *     WHERE worker = 7 AND reserved_until = ... AND token = ...;
 * UPDATE snowflake_worker SET owner = ..., reserved_until = ..., token = ...
 *     WHERE worker = 7 AND reserved_until = ... AND token = ...
 *     AND (SELECT content FROM snowflake_worker_record WHERE name = '@store') = ...
 *     AND LAST_INSERT_ID(...the server's time...) BETWEEN ... AND ...;
 * </pre>
 *
 * If another process is faster, the INSERT fails with a duplicate key, and the UPDATE matches no row. The second UPDATE
 * renews a window without a SELECT, and answers with the time at which the statement began. No row is ever deleted.
 * Records are in a second table, {@code snowflake_worker_record}, and are written the same way.
 *
 * @param name perhaps with its schema
 */
record WorkerTable(DatabaseProduct product, String name) {

    /**
     * PostgreSQL's time at which the statement began. {@code clock_timestamp()} would go on while the statement waits
     * for a lock, although the record was read before.
     */
    private static final String STATEMENT_MILLIS = "CAST(EXTRACT(EPOCH FROM statement_timestamp()) * 1000 AS BIGINT)";

    String ddl() {
        return "CREATE TABLE IF NOT EXISTS " + name + " (worker BIGINT NOT NULL PRIMARY KEY, owner VARCHAR("
                + WorkerStore.OWNER_LENGTH + ") NOT NULL, reserved_until BIGINT NOT NULL, token VARCHAR("
                + WorkerStore.TOKEN_LENGTH
                + ") NOT NULL)" + options(product);
    }

    private static String options(DatabaseProduct product) {
        return switch (product) {
            case MYSQL, MARIADB -> " ENGINE=InnoDB";
            case POSTGRESQL, H2 -> "";
        };
    }

    String probe() {
        return "SELECT worker, owner, reserved_until, token FROM " + name + " WHERE 1 = 0";
    }

    /** One row for each worker row of a range, but at least one; each with the server's time and the store's record. */
    String select() {
        return "SELECT clock.millis, clock.content, w.worker, w.owner, w.reserved_until, w.token FROM (SELECT "
                + millis() + " AS millis, (" + selectStoreRecord() + ") AS content) clock LEFT JOIN " + name
                + " w ON w.worker BETWEEN ? AND ? ORDER BY w.worker";
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
     * Takes the parameters of {@link #update}, the record, and the earliest and the latest time. On MySQL and MariaDB
     * the time is its generated key, elsewhere it is a query for the time.
     */
    String renew() {
        String update = update() + " AND (" + selectStoreRecord() + ") = ? AND ";
        return switch (product) {
            case MYSQL, MARIADB -> update + "LAST_INSERT_ID(" + millis() + ") BETWEEN ? AND ?";
            case POSTGRESQL -> update + STATEMENT_MILLIS + " BETWEEN ? AND ? RETURNING " + STATEMENT_MILLIS;
            case H2 -> "SELECT " + millis() + " FROM FINAL TABLE (" + update + millis() + " BETWEEN ? AND ?)";
        };
    }

    boolean renewsByKey() {
        return product == DatabaseProduct.MYSQL || product == DatabaseProduct.MARIADB;
    }

    private String selectStoreRecord() {
        return "SELECT content FROM " + recordTable() + " WHERE name = '" + WorkerStore.STORE_RECORD + "'";
    }

    String recordTable() {
        return recordTable(name);
    }

    static String recordTable(String name) {
        return name + "_record";
    }

    String recordDdl() {
        return recordDdl(product, recordTable());
    }

    static String recordDdl(DatabaseProduct product, String name) {
        return "CREATE TABLE IF NOT EXISTS " + name + " (name "
                + StoredText.type(product, WorkerStore.RECORD_NAME_LENGTH) + " NOT NULL PRIMARY KEY, content "
                + StoredText.type(product, WorkerStore.RECORD_LENGTH) + " NOT NULL)" + options(product);
    }

    String recordProbe() {
        return "SELECT name, content FROM " + recordTable() + " WHERE 1 = 0";
    }

    String selectRecord() {
        return "SELECT content FROM " + recordTable() + " WHERE name = ?";
    }

    String selectRecords() {
        return "SELECT name, content FROM " + recordTable();
    }

    String insertRecord() {
        return "INSERT INTO " + recordTable() + " (content, name) VALUES (?, ?)";
    }

    String updateRecord() {
        return "UPDATE " + recordTable() + " SET content = ? WHERE name = ? AND content = ?";
    }

    String highest() {
        return "SELECT MAX(worker) FROM " + name;
    }

    String insert() {
        return "INSERT INTO " + name + " (owner, reserved_until, token, worker) VALUES (?, ?, ?, ?)";
    }

    String update() {
        return "UPDATE " + name
                + " SET owner = ?, reserved_until = ?, token = ? WHERE worker = ? AND reserved_until = ? AND token = ?";
    }
}

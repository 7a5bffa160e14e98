package io.distributedid.backend.sequencetable;

import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * How a server locks several rows and skips those that others have locked: MySQL 8.0, MariaDB 10.6, PostgreSQL 9.5 and
 * later.
 *
 * <p>MySQL and MariaDB lock what they read, not only what they find. So queries name the index, {@code FORCE INDEX
 * (PRIMARY)}: the server must not scan a small table, and lock all its rows.
 *
 * @param share the end of a query that takes shared locks
 * @param update the end of a query that takes exclusive locks
 * @param isMySql whether it is MySQL or MariaDB
 */
record SkipLocked(String share, String update, boolean isMySql) {

    private static final String UPDATE = " FOR UPDATE SKIP LOCKED";

    /** Empty if the server can't skip locked rows, and for H2, which gains nothing by batches. */
    static Optional<SkipLocked> of(Connection connection, DatabaseProduct product) throws SQLException {
        return switch (product) {
            case MYSQL -> isAtLeast(connection, 8, 0, new SkipLocked(" FOR SHARE SKIP LOCKED", UPDATE, true));
            case MARIADB ->
                isAtLeast(connection, 10, 6, new SkipLocked(" LOCK IN SHARE MODE SKIP LOCKED", UPDATE, true));
            case POSTGRESQL -> isAtLeast(connection, 9, 5, new SkipLocked(" FOR SHARE SKIP LOCKED", UPDATE, false));
            case H2 -> Optional.empty();
        };
    }

    private static Optional<SkipLocked> isAtLeast(Connection connection, int major, int minor, SkipLocked locks)
            throws SQLException {
        DatabaseMetaData server = connection.getMetaData();
        int found = server.getDatabaseMajorVersion();
        boolean isNewEnough = found > major || found == major && server.getDatabaseMinorVersion() >= minor;
        return isNewEnough ? Optional.of(locks) : Optional.empty();
    }

    /** The name of the record's table in a query that finds rows by their key. */
    String byKey(String recordTable) {
        return isMySql ? recordTable + " FORCE INDEX (PRIMARY)" : recordTable;
    }

    /** The name of a sequence table in a query that finds rows by name. */
    String byName(Connection connection, String sequenceTable) throws SQLException {
        if (!isMySql) {
            return sequenceTable;
        }
        try (Statement statement = connection.createStatement();
                ResultSet index = statement.executeQuery("SHOW INDEX FROM " + sequenceTable
                        + " WHERE Non_unique = 0 AND Seq_in_index = 1 AND Column_name = 'name'")) {
            return index.next()
                    ? sequenceTable + " FORCE INDEX (`" + index.getString("Key_name") + "`)"
                    : sequenceTable;
        }
    }

    /**
     * The end of an INSERT of rows that exist, which sets their ids. It finds each row by its key. An UPDATE might scan
     * the table, and wait for locks of other rows.
     */
    String setId() {
        return isMySql
                ? " ON DUPLICATE KEY UPDATE id = VALUES(id)"
                : " ON CONFLICT (name) DO UPDATE SET id = excluded.id";
    }
}

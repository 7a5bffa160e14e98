package io.distributedid.backend.sequencetable;

import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The ends of locking queries that skip locked rows: MySQL 8.0, MariaDB 10.6, PostgreSQL 9.5 and later.
 *
 * @param share the end of a query that takes shared locks
 * @param update the end of a query that takes exclusive locks
 */
record SkipLocked(String share, String update) {

    private static final String UPDATE = " FOR UPDATE SKIP LOCKED";

    /** Empty if the server can't skip locked rows, and for H2, which gains nothing by batches. */
    static Optional<SkipLocked> of(Connection connection, DatabaseProduct product) throws SQLException {
        return switch (product) {
            case MYSQL -> isAtLeast(connection, 8, 0, " FOR SHARE SKIP LOCKED");
            case MARIADB -> isAtLeast(connection, 10, 6, " LOCK IN SHARE MODE SKIP LOCKED");
            case POSTGRESQL -> isAtLeast(connection, 9, 5, " FOR SHARE SKIP LOCKED");
            case H2 -> Optional.empty();
        };
    }

    private static Optional<SkipLocked> isAtLeast(Connection connection, int major, int minor, String share)
            throws SQLException {
        DatabaseMetaData server = connection.getMetaData();
        int found = server.getDatabaseMajorVersion();
        boolean isNewEnough = found > major || found == major && server.getDatabaseMinorVersion() >= minor;
        return isNewEnough ? Optional.of(new SkipLocked(share, UPDATE)) : Optional.empty();
    }
}

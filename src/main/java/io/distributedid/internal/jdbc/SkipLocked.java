package io.distributedid.internal.jdbc;

import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * How a server locks several rows and skips those that others have locked: MySQL 8.0, MariaDB 10.6, PostgreSQL 9.5 and
 * later.
 *
 * <p>MySQL and MariaDB lock what they read, not only what they find. So queries name the index, {@code FORCE INDEX
 * (PRIMARY)}: the server must not scan a small table, and lock all its rows.
 *
 * @param share the end of a query that takes shared locks, after its WHERE clause
 * @param update the end of a query that takes exclusive locks, after its WHERE clause
 * @param isMySql whether it is MySQL or MariaDB
 */
public record SkipLocked(String share, String update, boolean isMySql) {

    private static final String UPDATE = " FOR UPDATE SKIP LOCKED";

    /** Empty if the server can't skip locked rows, and for H2, which gains nothing by batches. */
    public static Optional<SkipLocked> of(Connection connection, DatabaseProduct product) throws SQLException {
        return switch (product) {
            case MYSQL -> isAtLeast(connection, 8, 0, new SkipLocked(" FOR SHARE SKIP LOCKED", UPDATE, true));
            case MARIADB ->
                isAtLeast(connection, 10, 6, new SkipLocked(" LOCK IN SHARE MODE SKIP LOCKED", UPDATE, true));
            case POSTGRESQL ->
                isAtLeast(
                        connection,
                        9,
                        5,
                        new SkipLocked(
                                Durability.OF_TRANSACTION + " FOR SHARE SKIP LOCKED",
                                Durability.OF_TRANSACTION + UPDATE,
                                false));
            case H2 -> Optional.empty();
        };
    }

    private static Optional<SkipLocked> isAtLeast(Connection connection, int major, int minor, SkipLocked locks)
            throws SQLException {
        boolean isNewEnough = ServerVersion.of(connection).isAtLeast(new ServerVersion(major, minor, 0));
        return isNewEnough ? Optional.of(locks) : Optional.empty();
    }

    /** The name of a table in a query that finds rows by the primary key. */
    public String byPrimaryKey(String table) {
        return isMySql ? table + " FORCE INDEX (PRIMARY)" : table;
    }
}

package io.distributedid.internal.counter.sql;

import io.distributedid.internal.jdbc.Durability;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * How a server locks several rows and skips those that others have locked: MySQL 8.0 and MariaDB 10.6 or later,
 * PostgreSQL.
 *
 * <p>MySQL and MariaDB lock what they read, not only what they find. So queries name the index, {@code FORCE INDEX
 * (PRIMARY)}: the server must not scan a small table, and lock all its rows.
 *
 * @param share the end of a query that takes shared locks, after its WHERE clause
 * @param update the end of a query that takes exclusive locks, after its WHERE clause
 * @param isMySql whether it is MySQL or MariaDB
 */
public record SkipLocked(String share, String update, boolean isMySql) {

    private static final String SKIP = " SKIP LOCKED";

    /** Empty if the server can't skip locked rows, and for H2, which gains nothing by batches. */
    public static Optional<SkipLocked> of(Connection connection, DatabaseProduct product) throws SQLException {
        String durably = Durability.OF_TRANSACTION;
        return switch (product) {
            case MYSQL -> ofMySql(connection, new ServerVersion(8, 0, 0), " FOR SHARE");
            case MARIADB -> ofMySql(connection, new ServerVersion(10, 6, 0), " LOCK IN SHARE MODE");
            case POSTGRESQL ->
                Optional.of(new SkipLocked(durably + " FOR SHARE" + SKIP, durably + " FOR UPDATE" + SKIP, false));
            case H2 -> Optional.empty();
        };
    }

    private static Optional<SkipLocked> ofMySql(Connection connection, ServerVersion oldest, String share)
            throws SQLException {
        return ServerVersion.of(connection).isAtLeast(oldest)
                ? Optional.of(new SkipLocked(share + SKIP, " FOR UPDATE" + SKIP, true))
                : Optional.empty();
    }

    /** The name of a table in a query that finds rows by the primary key. */
    public String byPrimaryKey(String table) {
        return isMySql ? table + " FORCE INDEX (PRIMARY)" : table;
    }
}

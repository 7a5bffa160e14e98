package io.distributedid.internal.counter.sql;

import io.distributedid.internal.jdbc.Queries;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * What counters change in a session, until {@link #restore}.
 *
 * <p>Each wait for the lock of a row is limited to one second. MySQL, MariaDB and H2 have that limit in the session.
 * PostgreSQL has it in the transaction, see {@link #LOCK_WAIT_OF_TRANSACTION}: in the session, a pooler such as
 * PgBouncer would lend it to others. A wait that ends so is {@link SqlErrors#isTimeout}.
 *
 * <p>PostgreSQL and H2 work at READ COMMITTED, where a statement that had to wait sees what others have committed. On
 * MySQL and MariaDB, statements that lock see that at each level.
 *
 * @param isolation the level before, READ COMMITTED if it was not changed
 * @param lockWait the limit before
 */
public record SessionSettings(Connection connection, DatabaseProduct product, int isolation, long lockWait) {

    /** PostgreSQL: the end of a WHERE clause. It is true, and sets the limit before the statement locks a row. */
    public static final String LOCK_WAIT_OF_TRANSACTION =
            " AND (SELECT set_config('lock_timeout', '1s', true)) IS NOT NULL";

    private static final int LEVEL = Connection.TRANSACTION_READ_COMMITTED;

    /** Changes the session. */
    public static SessionSettings set(Connection connection, DatabaseProduct product) throws SQLException {
        boolean isMySql = product == DatabaseProduct.MYSQL || product == DatabaseProduct.MARIADB;
        String query = isMySql ? "SELECT @@SESSION.innodb_lock_wait_timeout" : "CALL LOCK_TIMEOUT()";
        long lockWait = product == DatabaseProduct.POSTGRESQL ? 0 : read(connection, query);
        int isolation = isMySql ? LEVEL : connection.getTransactionIsolation();
        SessionSettings before = new SessionSettings(connection, product, isolation, lockWait);
        before.set(LEVEL, product == DatabaseProduct.H2 ? 1_000 : 1);
        return before;
    }

    private static long read(Connection connection, String query) throws SQLException {
        return Queries.first(connection, query, List.of(), row -> row.getLong(1))
                .orElseThrow();
    }

    public void restore() throws SQLException {
        set(isolation, lockWait);
    }

    private void set(int level, long limit) throws SQLException {
        if (isolation != LEVEL) {
            connection.setTransactionIsolation(level);
        }
        if (product == DatabaseProduct.POSTGRESQL) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    product == DatabaseProduct.H2
                            ? "SET LOCK_TIMEOUT " + limit
                            : "SET SESSION innodb_lock_wait_timeout = " + limit);
        }
    }
}

package io.distributedid.internal.counter.sql;

import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A limit of one second for each wait for the lock of a row. MySQL, MariaDB and H2 have it in the session, until
 * {@link #restore}. PostgreSQL has it in the transaction, see {@link #OF_TRANSACTION}: in the session, a pooler such as
 * PgBouncer would lend it to others. A wait that ends so is {@link SqlErrors#isTimeout}.
 */
public final class LockWait {

    /** PostgreSQL: the end of a WHERE clause. It is true, and sets the limit before the statement locks a row. */
    public static final String OF_TRANSACTION = " AND (SELECT set_config('lock_timeout', '1s', true)) IS NOT NULL";

    private final DatabaseProduct product;

    private final long before;

    private LockWait(DatabaseProduct product, long before) {
        this.product = product;
        this.before = before;
    }

    /** Sets the limit of the session. */
    public static LockWait shorten(Connection connection, DatabaseProduct product) throws SQLException {
        LockWait wait = switch (product) {
            case MYSQL, MARIADB -> new LockWait(product, read(connection, "SELECT @@SESSION.innodb_lock_wait_timeout"));
            case H2 -> new LockWait(product, read(connection, "CALL LOCK_TIMEOUT()"));
            case POSTGRESQL -> new LockWait(product, 0);
        };
        wait.set(connection, product == DatabaseProduct.H2 ? 1_000 : 1);
        return wait;
    }

    private static long read(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Undoes the change to the session. */
    public void restore(Connection connection) throws SQLException {
        set(connection, before);
    }

    private void set(Connection connection, long limit) throws SQLException {
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

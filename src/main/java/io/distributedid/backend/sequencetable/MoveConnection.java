package io.distributedid.backend.sequencetable;

import io.distributedid.internal.jdbc.Durability;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A connection as a move needs it: in autocommit mode, and durable. At READ COMMITTED, but on MySQL and MariaDB, where
 * that may not be allowed by the binary log's format: a statement that had to wait for a client must see what it has
 * committed.
 *
 * @param connection the application's
 * @param product of the server
 * @param label names the server in messages
 * @param autoCommit the mode before
 * @param isolation the level before
 * @param durability what was raised
 */
record MoveConnection(
        Connection connection,
        DatabaseProduct product,
        String label,
        boolean autoCommit,
        int isolation,
        Durability durability)
        implements AutoCloseable {

    static MoveConnection of(Connection connection) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(true);
        DatabaseProduct product = DatabaseProduct.of(connection);
        String label = JdbcUrl.label(connection.getMetaData().getURL());
        Durability durability = Durability.check(connection, product, label);
        int isolation = connection.getTransactionIsolation();
        MoveConnection opened = new MoveConnection(connection, product, label, autoCommit, isolation, durability);
        if (opened.setsIsolation()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        return opened;
    }

    private boolean setsIsolation() {
        return (product == DatabaseProduct.POSTGRESQL || product == DatabaseProduct.H2)
                && isolation != Connection.TRANSACTION_READ_COMMITTED;
    }

    /** Gives it back as it was; cuts it if that is not possible. */
    @Override
    public void close() throws SQLException {
        try {
            if (setsIsolation()) {
                connection.setTransactionIsolation(isolation);
            }
            durability.restore(connection);
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            connection.abort(Runnable::run);
        }
        connection.close();
    }
}

package io.distributedid.backend.sequencetable;

import io.distributedid.internal.jdbc.Durability;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A connection of a move, in autocommit mode and with durable commits. PostgreSQL and H2 run at READ COMMITTED: a
 * statement that had to wait for a client must see what the client has committed. On MySQL and MariaDB the level stays,
 * since the binary log's format may forbid READ COMMITTED.
 *
 * @param autoCommit the former mode
 * @param isolation the former level
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

    /** Restores the connection's state before closing it; aborts the connection if that fails. */
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

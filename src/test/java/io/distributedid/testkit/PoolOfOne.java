package io.distributedid.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A pool with one connection, which is out of autocommit mode and serializable. */
final class PoolOfOne extends PlainDataSource {

    private final @Nullable DataSource server;

    private @Nullable Connection only;

    private boolean lent;

    PoolOfOne(@Nullable DataSource server) {
        this.server = server;
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (lent || server == null) {
            throw new SQLException("The pool is empty");
        }
        if (only == null) {
            only = server.getConnection();
            only.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            only.setAutoCommit(false);
        }
        lent = true;
        Connection target = only;
        return (Connection) Proxy.newProxyInstance(
                PoolOfOne.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        lent = false;
                        return null;
                    }
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}

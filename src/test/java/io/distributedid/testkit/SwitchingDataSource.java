package io.distributedid.testkit;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** An address that leads to another server from one moment to the next, as after a failover, or to none. */
public final class SwitchingDataSource implements DataSource {

    private final Set<Connection> lent = ConcurrentHashMap.newKeySet();

    private volatile String url;

    private final int isolation;

    public SwitchingDataSource(String url) {
        this(url, Connection.TRANSACTION_NONE);
    }

    /** Connections have this isolation by default. */
    public SwitchingDataSource(String url, int isolation) {
        this.url = url;
        this.isolation = isolation;
    }

    /** Cuts all connections; new ones lead to the other server. An empty URL leads to none. */
    public void to(String newUrl) throws SQLException {
        url = newUrl;
        for (Connection connection : lent) {
            connection.abort(Runnable::run);
        }
        lent.clear();
    }

    public void cut() throws SQLException {
        to("");
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (url.isEmpty()) {
            throw new SQLNonTransientConnectionException("No route to the server", "08001");
        }
        Connection connection = DriverManager.getConnection(url);
        if (isolation != Connection.TRANSACTION_NONE) {
            connection.setTransactionIsolation(isolation);
        }
        lent.add(connection);
        return connection;
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public PrintWriter getLogWriter() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setLogWriter(PrintWriter writer) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setLoginTimeout(int seconds) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("Wraps nothing");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}

package io.distributedid.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** An address that leads to another server from one moment to the next, as after a failover, or to none. */
public final class SwitchingDataSource extends PlainDataSource {

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
}

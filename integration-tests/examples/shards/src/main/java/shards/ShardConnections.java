package shards;

import java.sql.Connection;
import java.sql.SQLException;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;

/** Leads each session to the server and the schema of its shard. */
final class ShardConnections implements MultiTenantConnectionProvider<String> {

    private static final long serialVersionUID = 1L;

    private final transient Directory directory;

    ShardConnections(Directory directory) {
        this.directory = directory;
    }

    @Override
    public Connection getConnection(String schema) throws SQLException {
        return directory.connect(new Shard(Integer.parseInt(schema.substring("shard_".length()))));
    }

    @Override
    public void releaseConnection(String schema, Connection connection) throws SQLException {
        connection.close();
    }

    /** Hibernate asks it for the database's dialect at start. */
    @Override
    public Connection getAnyConnection() throws SQLException {
        return directory.server(0).getConnection();
    }

    @Override
    public void releaseAnyConnection(Connection connection) throws SQLException {
        connection.close();
    }

    @Override
    public boolean supportsAggressiveRelease() {
        return false;
    }

    @Override
    public boolean isUnwrappableAs(Class<?> type) {
        return false;
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        throw new UnsupportedOperationException(type.getName());
    }
}

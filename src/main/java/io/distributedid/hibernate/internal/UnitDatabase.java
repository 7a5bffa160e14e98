package io.distributedid.hibernate.internal;

import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.settings.PersistenceProperties;
import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.hibernate.service.ServiceRegistry;

/**
 * Connections to the persistence unit's own database. If it is configured by URL, these are separate from Hibernate's
 * pool, so that an exhausted pool can't block ids. If it is configured as a DataSource, they come from there, and one
 * is kept.
 */
final class UnitDatabase {

    private UnitDatabase() {}

    /** Empty if every connection belongs to a tenant, or if Hibernate Reactive has no JDBC driver for the URL. */
    static Optional<ConnectionAccess> of(Map<String, Object> settings, ServiceRegistry registry) {
        if (registry.getService(MultiTenantConnectionProvider.class) != null) {
            return Optional.empty();
        }
        PersistenceProperties properties = new PersistenceProperties(settings);
        Optional<String> url = properties.url();
        if (url.isPresent() && !properties.nameDataSource()) {
            // Hibernate Reactive itself needs no driver, and takes URLs that none knows.
            if (ReactiveMode.is(registry) && !JdbcUrl.hasDriver(url.get())) {
                return Optional.empty();
            }
            JdbcUrl.requireDriver(url.get());
            return properties.database();
        }
        if (ReactiveMode.is(registry) && !properties.nameDataSource()) {
            return Optional.empty();
        }
        return Optional.ofNullable(registry.getService(ConnectionProvider.class))
                .map(provider -> new Provided(provider, properties.namespace()));
    }

    /** Connections of Hibernate's connection provider, a pool that the application uses too. */
    private record Provided(ConnectionProvider provider, Optional<String> namespace) implements ConnectionAccess {

        @Override
        public Connection obtain() throws SQLException {
            return provider.getConnection();
        }

        @Override
        public void release(Connection connection) throws SQLException {
            provider.closeConnection(connection);
        }

        @Override
        public String label() {
            return "the persistence unit's own database";
        }
    }
}

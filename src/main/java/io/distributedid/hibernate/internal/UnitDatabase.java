package io.distributedid.hibernate.internal;

import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.hibernate.service.ServiceRegistry;

/**
 * Connections to the persistence unit's own database. If it is configured by URL they are our own, beside Hibernate's pool, so that
 * a pool whose connections are all in use can't keep ids from their users. If it is a DataSource they come from there, and one is
 * kept.
 */
final class UnitDatabase {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final String CONNECTION = "hibernate.connection.";

    private static final List<String> DATA_SOURCES = List.of(
            CONNECTION + "datasource",
            "jakarta.persistence.jtaDataSource",
            "jakarta.persistence.nonJtaDataSource",
            "javax.persistence.jtaDataSource",
            "javax.persistence.nonJtaDataSource");

    private static final List<String> URLS =
            List.of(CONNECTION + "url", "jakarta.persistence.jdbc.url", "javax.persistence.jdbc.url");

    private static final List<String> USERS =
            List.of(CONNECTION + "username", "jakarta.persistence.jdbc.user", "javax.persistence.jdbc.user");

    private static final List<String> PASSWORDS =
            List.of(CONNECTION + "password", "jakarta.persistence.jdbc.password", "javax.persistence.jdbc.password");

    /** What Hibernate reads itself; the rest of {@code hibernate.connection.} is for the driver. */
    private static final Set<String> NOT_FOR_DRIVER = Set.of(
            "url",
            "username",
            "password",
            "datasource",
            "driver_class",
            "provider_class",
            "pool_size",
            "isolation",
            "autocommit",
            "handling_mode",
            "release_mode",
            "acquisition_mode",
            "provider_disables_autocommit");

    private UnitDatabase() {}

    /** Empty if every connection belongs to a tenant. */
    static Optional<ConnectionAccess> of(Map<String, Object> settings, ServiceRegistry registry) {
        Optional<String> namespace = Stream.of("hibernate.default_catalog", "hibernate.default_schema")
                .flatMap(name -> first(settings, List.of(name)).stream())
                .reduce((catalog, schema) -> catalog + "." + schema);
        return connections(settings, registry).map(access -> new InNamespace(access, namespace));
    }

    private static Optional<ConnectionAccess> connections(Map<String, Object> settings, ServiceRegistry registry) {
        if (registry.getService(MultiTenantConnectionProvider.class) != null) {
            return Optional.empty();
        }
        Optional<String> url = first(settings, URLS);
        if (url.isPresent() && DATA_SOURCES.stream().allMatch(name -> settings.get(name) == null)) {
            return Optional.of(new JdbcUrl(url.get(), driverProperties(settings), TIMEOUT));
        }
        return Optional.ofNullable(registry.getService(ConnectionProvider.class))
                .map(Provided::new);
    }

    private static Properties driverProperties(Map<String, Object> settings) {
        Properties properties = new Properties();
        settings.forEach((name, value) -> {
            if (name.startsWith(CONNECTION) && value instanceof String text) {
                String property = name.substring(CONNECTION.length());
                if (!NOT_FOR_DRIVER.contains(property)) {
                    properties.setProperty(property, text);
                }
            }
        });
        first(settings, USERS).ifPresent(user -> properties.setProperty("user", user));
        first(settings, PASSWORDS).ifPresent(password -> properties.setProperty("password", password));
        return properties;
    }

    private static Optional<String> first(Map<String, Object> settings, List<String> names) {
        return names.stream()
                .map(settings::get)
                .filter(Objects::nonNull)
                .map(Object::toString)
                .findFirst();
    }

    /** From Hibernate's connection provider: a pool that the application uses too. */
    private record Provided(ConnectionProvider provider) implements ConnectionAccess {

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

    /** With the catalog and schema to which Hibernate exports its tables. */
    private record InNamespace(ConnectionAccess access, Optional<String> namespace) implements ConnectionAccess {

        @Override
        public Connection obtain() throws SQLException {
            return access.obtain();
        }

        @Override
        public void release(Connection connection) throws SQLException {
            access.release(connection);
        }

        @Override
        public String label() {
            return access.label();
        }
    }
}

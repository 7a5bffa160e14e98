package io.distributedid.internal.settings;

import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.spi.ConnectionAccess;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The database that the properties of a persistence unit name: {@code hibernate.connection.*},
 * {@code jakarta.persistence.jdbc.*} or {@code javax.persistence.jdbc.*}.
 */
public final class PersistenceProperties {

    public static final String PASSWORD = "jakarta.persistence.jdbc.password";

    private static final String CONNECTION = "hibernate.connection.";

    private static final List<String> DATA_SOURCES = List.of(
            CONNECTION + "datasource",
            "jakarta.persistence.jtaDataSource",
            "jakarta.persistence.nonJtaDataSource",
            "javax.persistence.jtaDataSource",
            "javax.persistence.nonJtaDataSource");

    /** Hibernate reads these itself, and passes the rest of {@code hibernate.connection.} to the driver. */
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

    private final Map<String, ?> properties;

    public PersistenceProperties(Map<String, ?> properties) {
        this.properties = properties;
    }

    public boolean nameDataSource() {
        return DATA_SOURCES.stream().anyMatch(name -> properties.get(name) != null);
    }

    /** The catalog and schema of Hibernate's tables. */
    public Optional<String> namespace() {
        return Stream.of("hibernate.default_catalog", "hibernate.default_schema")
                .flatMap(name -> first(name).stream())
                .reduce((catalog, schema) -> catalog + "." + schema);
    }

    public Optional<String> url() {
        return first(CONNECTION + "url", "jakarta.persistence.jdbc.url", "javax.persistence.jdbc.url");
    }

    /** The database at the URL, if there is one. Its driver is not needed before the first connection. */
    public Optional<ConnectionAccess> database() {
        return url().map(url -> new JdbcUrl(url, forDriver(), namespace()));
    }

    private Properties forDriver() {
        Properties driver = new Properties();
        properties.forEach((name, value) -> {
            if (name.startsWith(CONNECTION) && value instanceof String text) {
                String property = name.substring(CONNECTION.length());
                if (!NOT_FOR_DRIVER.contains(property)) {
                    driver.setProperty(property, text);
                }
            }
        });
        driver.putAll(JdbcUrl.credentials(
                first(CONNECTION + "username", "jakarta.persistence.jdbc.user", "javax.persistence.jdbc.user")
                        .orElse(null),
                first(CONNECTION + "password", PASSWORD, "javax.persistence.jdbc.password")
                        .orElse(null)));
        return driver;
    }

    private Optional<String> first(String... names) {
        return Stream.of(names)
                .map(properties::get)
                .filter(Objects::nonNull)
                .map(Object::toString)
                .findFirst();
    }
}

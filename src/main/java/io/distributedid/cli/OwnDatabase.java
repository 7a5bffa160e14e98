package io.distributedid.cli;

import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The persistence unit's own database, if it is configured by URL: an application server's DataSource can't be had here. Needs no
 * driver until somebody connects.
 *
 * @param url of JDBC
 * @param credentials user and password
 * @param namespace the catalog and schema of Hibernate's tables
 */
record OwnDatabase(String url, Properties credentials, Optional<String> namespace) implements ConnectionAccess {

    static final String PASSWORD = "jakarta.persistence.jdbc.password";

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    static Optional<ConnectionAccess> of(Map<String, ?> settings) {
        Properties credentials = new Properties();
        first(settings, "hibernate.connection.username", "jakarta.persistence.jdbc.user", "javax.persistence.jdbc.user")
                .ifPresent(user -> credentials.setProperty("user", user));
        first(settings, "hibernate.connection.password", PASSWORD, "javax.persistence.jdbc.password")
                .ifPresent(password -> credentials.setProperty("password", password));
        Optional<String> namespace = Stream.of("hibernate.default_catalog", "hibernate.default_schema")
                .flatMap(name -> first(settings, name).stream())
                .reduce((catalog, schema) -> catalog + "." + schema);
        return url(settings).map(url -> new OwnDatabase(url, credentials, namespace));
    }

    static Optional<String> url(Map<String, ?> settings) {
        return first(
                settings, "hibernate.connection.url", "jakarta.persistence.jdbc.url", "javax.persistence.jdbc.url");
    }

    private static Optional<String> first(Map<String, ?> settings, String... names) {
        return List.of(names).stream()
                .flatMap(name -> Stream.ofNullable(settings.get(name)))
                .map(Object::toString)
                .findFirst();
    }

    @Override
    public Connection obtain() throws SQLException {
        return new JdbcUrl(url, credentials, TIMEOUT).obtain();
    }

    @Override
    public String label() {
        return JdbcUrl.label(url);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return label();
    }
}

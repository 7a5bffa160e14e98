package io.distributedid.internal.jdbc;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections from a JDBC URL. The drivers of MySQL, MariaDB and PostgreSQL get timeouts for connecting and for
 * answers meanwhile, other drivers get none. Callers set their own timeout for answers on an open connection.
 */
public final class JdbcUrl implements ConnectionAccess {

    /** The end of the error message if no driver accepts a URL. */
    public static final String ADD_DRIVER = "Add its driver to the class path";

    /** For callers that give none. */
    static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** Without them, a hanging server would hold the connecting thread and its socket. */
    private static final List<String> TIMEOUTS = List.of("connectTimeout", "socketTimeout");

    /** Allows several statements in one round trip. */
    private static final String MULTI_QUERIES = "allowMultiQueries";

    private final String url;

    private final String label;

    private final UrlSyntax syntax;

    private final Optional<String> namespace;

    private final Properties properties = new Properties();

    private final List<String> unsetTimeouts;

    /**
     * Does not connect yet. Checks the URL as {@link #requireDriver} does. The timeout is that of each call of
     * {@link #obtain(Duration)}, unless the URL sets its own.
     *
     * @param properties for the driver: user, password and others; those that the URL sets itself are ignored
     */
    public JdbcUrl(String url, Properties properties) {
        this(url, properties, Optional.empty());
        requireDriver(url);
    }

    /** As above, for tables in a schema. Checks the URL when a connection is obtained. */
    public JdbcUrl(String url, Properties properties, Optional<String> namespace) {
        this.url = url;
        this.label = label(url);
        this.syntax = UrlSyntax.of(url);
        this.namespace = namespace;
        SortedSet<String> set = syntax.names(url);
        properties.stringPropertyNames().stream()
                .filter(name -> !set.contains(name))
                .forEach(name -> this.properties.setProperty(name, properties.getProperty(name)));
        set.addAll(this.properties.stringPropertyNames());
        unsetTimeouts = TIMEOUTS.stream().filter(name -> !set.contains(name)).toList();
        if (syntax.isMySql() && !set.contains(MULTI_QUERIES)) {
            this.properties.setProperty(MULTI_QUERIES, "true");
        }
    }

    /** Checks without connecting that a driver accepts the URL, and that its user and password can be parsed. */
    public static void requireDriver(String url) {
        if (UrlSyntax.hasUnreadableCredentials(url)) {
            throw new IdConfigurationException("The user and password in a URL must not contain '/', '?' or '#': url="
                    + label(url) + ". Write them as %2F, %3F and %23, or leave both out of the URL and set them"
                    + " separately");
        }
        if (!hasDriver(url)) {
            String artifact = UrlSyntax.of(url).artifact();
            throw new IdConfigurationException("No JDBC driver accepts the URL: url=" + label(url)
                    + (artifact.isEmpty() ? "" : " (" + artifact + ")") + ". " + ADD_DRIVER);
        }
    }

    /** Whether a JDBC driver accepts the URL. Loads the drivers that the library can see, if it must. */
    public static boolean hasDriver(String url) {
        if (!isAccepted(url)) {
            loadDrivers();
        }
        return isAccepted(url);
    }

    private static boolean isAccepted(String url) {
        try {
            DriverManager.getDriver(url);
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    /**
     * Drivers register themselves when they are loaded. The DriverManager loads those on the class path of the JVM;
     * application servers and Quarkus have the application's jars in class loaders of their own.
     */
    private static void loadDrivers() {
        Iterator<Driver> drivers =
                ServiceLoader.load(Driver.class, JdbcUrl.class.getClassLoader()).iterator();
        while (hasNext(drivers)) {
            try {
                Driver unused = drivers.next();
            } catch (ServiceConfigurationError e) {
                // A broken driver of another database must not keep this one from being found.
            }
        }
    }

    private static boolean hasNext(Iterator<Driver> drivers) {
        try {
            return drivers.hasNext();
        } catch (ServiceConfigurationError e) {
            return false;
        }
    }

    /** Driver properties without those that are null: the URL may set them. */
    public static Properties credentials(@Nullable String user, @Nullable String password) {
        Properties credentials = new Properties();
        if (user != null) {
            credentials.setProperty("user", user);
        }
        if (password != null) {
            credentials.setProperty("password", password);
        }
        return credentials;
    }

    @Override
    public Connection obtain() throws SQLException {
        return obtain(TIMEOUT);
    }

    @Override
    public Connection obtain(Duration limit) throws SQLException {
        requireDriver(url);
        Properties bounded = new Properties();
        bounded.putAll(properties);
        long timeout = syntax.timeout(limit);
        if (timeout > 0) {
            unsetTimeouts.forEach(name -> bounded.setProperty(name, Long.toString(timeout)));
        }
        return DriverManager.getConnection(url, bounded);
    }

    @Override
    public Optional<String> namespace() {
        return namespace;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public String toString() {
        return label;
    }

    /** The driver, hosts and path of any text that may be a URL, without anything that could be a password. */
    public static String label(String url) {
        return UrlSyntax.label(url);
    }
}

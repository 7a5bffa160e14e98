package io.distributedid.internal.jdbc;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Connections of our own from a JDBC URL, bounded in time where the driver lets a URL say so. With PostgreSQL's driver
 * an open connection is not, since its users bound their statements themselves; nor is a connection of any other
 * driver.
 */
public final class JdbcUrl implements ConnectionAccess {

    /** How the error ends if no driver accepts a URL. */
    public static final String ADD_DRIVER = "Add its driver to the class path";

    private static final Pattern CREDENTIALS = Pattern.compile("//[^/]*@");

    private static final List<String> MILLISECOND_DRIVERS = List.of("jdbc:mysql:", "jdbc:mariadb:");

    /** Counts in seconds. Unbounded, a server that hangs would hold the thread that connects, and its socket. */
    private static final String SECONDS_DRIVER = "jdbc:postgresql:";

    private static final String SOCKET_TIMEOUT = "socketTimeout";

    private static final List<String> TIMEOUTS = List.of("connectTimeout", SOCKET_TIMEOUT);

    /** Lets several statements go in one round trip. */
    private static final String MULTI_QUERIES = "allowMultiQueries";

    private final String url;

    private final Properties properties;

    private final List<String> unsetTimeouts;

    /** For callers that say no timeout; null if all do. */
    private final @Nullable Duration timeout;

    /**
     * Connects at the first call, bounded by what callers of {@link #obtain(Duration)} say.
     *
     * @param url JDBC URL
     * @param properties for the driver: user, password and others; what the URL names itself is left out
     * @throws IdConfigurationException as {@link #requireDriver} says
     */
    public JdbcUrl(String url, Properties properties) {
        this(url, properties, null);
    }

    /** As {@link #JdbcUrl(String, Properties)}, but whoever calls, the connection has this timeout. */
    public JdbcUrl(String url, Properties properties, @Nullable Duration timeout) {
        requireDriver(url);
        this.url = url;
        this.timeout = timeout;
        this.properties = new Properties();
        properties.stringPropertyNames().stream()
                .filter(name -> !names(url, name))
                .forEach(name -> this.properties.setProperty(name, properties.getProperty(name)));
        unsetTimeouts = TIMEOUTS.stream()
                .filter(name -> !url.contains(name + "=") && !this.properties.containsKey(name))
                .toList();
        if (countsMillis() && !names(url, MULTI_QUERIES)) {
            this.properties.putIfAbsent(MULTI_QUERIES, "true");
        }
    }

    private boolean countsMillis() {
        return MILLISECOND_DRIVERS.stream().anyMatch(url::startsWith);
    }

    private Properties bounded(Duration limit) {
        Properties bounded = new Properties();
        bounded.putAll(properties);
        if (url.startsWith(SECONDS_DRIVER)) {
            String seconds = Long.toString((limit.toMillis() + 999) / 1000);
            unsetTimeouts.forEach(name -> bounded.setProperty(name, seconds));
        }
        if (countsMillis()) {
            unsetTimeouts.forEach(name -> bounded.setProperty(name, Long.toString(limit.toMillis())));
        }
        return bounded;
    }

    /**
     * Checks a URL without connecting.
     *
     * @throws IdConfigurationException if no driver on the class path accepts it, or its user and password can't be
     *     read
     */
    public static void requireDriver(String url) {
        if (UrlLabel.hasUnreadableCredentials(url)) {
            throw new IdConfigurationException("The user and password in a URL must not hold '/', '?' or '#': url="
                    + label(url) + ". Write them as %2F, %3F and %23, or leave both out of the URL and set them apart");
        }
        try {
            DriverManager.getDriver(url);
        } catch (SQLException e) {
            throw new IdConfigurationException(
                    "No JDBC driver accepts the URL: url=" + label(url) + ". " + ADD_DRIVER, e);
        }
    }

    /** For the driver; what is null is left to the URL. */
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
        return timeout == null ? DriverManager.getConnection(url, properties) : connect(timeout);
    }

    @Override
    public Connection obtain(Duration limit) throws SQLException {
        return connect(timeout == null ? limit : timeout);
    }

    private Connection connect(Duration limit) throws SQLException {
        Connection connection = DriverManager.getConnection(url, bounded(limit));
        if (url.startsWith(SECONDS_DRIVER) && unsetTimeouts.contains(SOCKET_TIMEOUT)) {
            // The limit was for connecting alone.
            connection.setNetworkTimeout(Runnable::run, 0);
        }
        return connection;
    }

    @Override
    public String label() {
        return label(url);
    }

    @Override
    public String toString() {
        return label();
    }

    /**
     * Names a database.
     *
     * @param url of JDBC, or what was taken for one
     * @return its driver, hosts and path, and nothing that could be a password
     */
    public static String label(String url) {
        return UrlLabel.of(url);
    }

    private static boolean names(String url, String property) {
        return CREDENTIALS.matcher(url).find()
                || Pattern.compile("[?;&(,]\\s*" + property + "\\s*=", Pattern.CASE_INSENSITIVE)
                        .matcher(url)
                        .find();
    }
}

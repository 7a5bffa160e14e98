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
import java.util.Map;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections from a JDBC URL. The drivers of MySQL, MariaDB and PostgreSQL get timeouts for connecting. Answers
 * on open connections have a timeout with MySQL and MariaDB only: on PostgreSQL, callers bound their own statements.
 * Other drivers get no timeouts.
 */
public final class JdbcUrl implements ConnectionAccess {

    /** The end of the error message if no driver accepts a URL. */
    public static final String ADD_DRIVER = "Add its driver to the class path";

    private static final List<String> MILLISECOND_DRIVERS = List.of("jdbc:mysql:", "jdbc:mysql+srv:", "jdbc:mariadb:");

    /** In Maven's repository. */
    private static final Map<String, String> DRIVERS = Map.of(
            "jdbc:mysql:", "com.mysql:mysql-connector-j",
            "jdbc:mysql+srv:", "com.mysql:mysql-connector-j",
            "jdbc:mariadb:", "org.mariadb.jdbc:mariadb-java-client",
            "jdbc:postgresql:", "org.postgresql:postgresql",
            "jdbc:h2:", "com.h2database:h2");

    /** Its timeouts are in seconds. Without them, a hanging server would hold the connecting thread and its socket. */
    private static final String SECONDS_DRIVER = "jdbc:postgresql:";

    private static final String SOCKET_TIMEOUT = "socketTimeout";

    private static final List<String> TIMEOUTS = List.of("connectTimeout", SOCKET_TIMEOUT);

    /** Allows several statements in one round trip. */
    private static final String MULTI_QUERIES = "allowMultiQueries";

    private final String url;

    private final Properties properties;

    private final List<String> unsetTimeouts;

    /** Null if each call has its own. */
    private final @Nullable Duration timeout;

    /**
     * Does not connect yet. Checks the URL as {@link #requireDriver} does. The timeout is that of each call of
     * {@link #obtain(Duration)}, unless the URL sets its own.
     *
     * @param properties for the driver: user, password and others; those that the URL sets itself are ignored
     */
    public JdbcUrl(String url, Properties properties) {
        this(url, properties, null);
    }

    /** As {@link #JdbcUrl(String, Properties)}, with one timeout for all calls. */
    public JdbcUrl(String url, Properties properties, @Nullable Duration timeout) {
        requireDriver(url);
        this.url = url;
        this.timeout = timeout;
        this.properties = new Properties();
        SortedSet<String> inUrl = UrlProperties.names(url);
        properties.stringPropertyNames().stream()
                .filter(name -> !inUrl.contains(name))
                .forEach(name -> this.properties.setProperty(name, properties.getProperty(name)));
        SortedSet<String> set = new TreeSet<>(inUrl);
        set.addAll(this.properties.stringPropertyNames());
        unsetTimeouts = TIMEOUTS.stream().filter(name -> !set.contains(name)).toList();
        if (countsMillis() && !set.contains(MULTI_QUERIES)) {
            this.properties.setProperty(MULTI_QUERIES, "true");
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

    /** Checks without connecting that a driver accepts the URL, and that its user and password can be parsed. */
    public static void requireDriver(String url) {
        if (UrlLabel.hasUnreadableCredentials(url)) {
            throw new IdConfigurationException("The user and password in a URL must not hold '/', '?' or '#': url="
                    + label(url) + ". Write them as %2F, %3F and %23, or leave both out of the URL and set them apart");
        }
        try {
            boolean unused = hasDriver(url);
            DriverManager.getDriver(url);
        } catch (SQLException e) {
            throw new IdConfigurationException(
                    "No JDBC driver accepts the URL: url=" + label(url) + driver(url) + ". " + ADD_DRIVER, e);
        }
    }

    /** Whether a JDBC driver accepts the URL. Loads the drivers that the library can see, if it must. */
    public static boolean hasDriver(String url) {
        if (isAccepted(url)) {
            return true;
        }
        loadDrivers();
        return isAccepted(url);
    }

    private static boolean isAccepted(String url) {
        return DriverManager.drivers().anyMatch(driver -> accepts(driver, url));
    }

    private static boolean accepts(Driver driver, String url) {
        try {
            return driver.acceptsURL(url);
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

    private static String driver(String url) {
        return DRIVERS.entrySet().stream()
                .filter(each -> url.startsWith(each.getKey()))
                .map(each -> " (" + each.getValue() + ")")
                .findFirst()
                .orElse("");
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

    /** The driver, hosts and path of any text that may be a URL, without anything that could be a password. */
    public static String label(String url) {
        return UrlLabel.of(url);
    }
}

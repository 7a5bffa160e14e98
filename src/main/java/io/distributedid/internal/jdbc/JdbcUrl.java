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
 * Opens connections from a JDBC URL. The drivers of MySQL, MariaDB and PostgreSQL get timeouts for connecting. Answers
 * on open connections have a timeout with MySQL and MariaDB only: on PostgreSQL, callers bound their own statements.
 * Other drivers get no timeouts.
 */
public final class JdbcUrl implements ConnectionAccess {

    /** The end of the error message if no driver accepts a URL. */
    public static final String ADD_DRIVER = "Add its driver to the class path";

    private static final Pattern CREDENTIALS = Pattern.compile("//[^/]*@");

    private static final List<String> MILLISECOND_DRIVERS = List.of("jdbc:mysql:", "jdbc:mariadb:");

    /** Its timeouts are in seconds. Without them, a hanging server would hold the connecting thread and its socket. */
    private static final String SECONDS_DRIVER = "jdbc:postgresql:";

    private static final String SOCKET_TIMEOUT = "socketTimeout";

    private static final List<String> TIMEOUTS = List.of("connectTimeout", SOCKET_TIMEOUT);

    /** Allows several statements in one round trip. */
    private static final String MULTI_QUERIES = "allowMultiQueries";

    private final String url;

    private final Properties properties;

    /** Whether the socket timeout applies only until the connection is open. */
    private final boolean boundsConnectOnly;

    /**
     * Does not connect yet. Checks the URL as {@link #requireDriver} does.
     *
     * @param properties for the driver: user, password and others; those that the URL sets itself are ignored
     * @param timeout for connecting and for each answer, unless the URL sets its own
     */
    public JdbcUrl(String url, Properties properties, Duration timeout) {
        requireDriver(url);
        this.url = url;
        this.properties = new Properties();
        properties.stringPropertyNames().stream()
                .filter(name -> !names(url, name))
                .forEach(name -> this.properties.setProperty(name, properties.getProperty(name)));
        List<String> unset = TIMEOUTS.stream()
                .filter(name -> !url.contains(name + "=") && !this.properties.containsKey(name))
                .toList();
        boundsConnectOnly = url.startsWith(SECONDS_DRIVER) && unset.contains(SOCKET_TIMEOUT);
        if (url.startsWith(SECONDS_DRIVER)) {
            String seconds = Long.toString((timeout.toMillis() + 999) / 1000);
            unset.forEach(name -> this.properties.setProperty(name, seconds));
        }
        if (MILLISECOND_DRIVERS.stream().anyMatch(url::startsWith)) {
            unset.forEach(name -> this.properties.setProperty(name, Long.toString(timeout.toMillis())));
            if (!names(url, MULTI_QUERIES)) {
                this.properties.putIfAbsent(MULTI_QUERIES, "true");
            }
        }
    }

    /** Checks without connecting that a driver accepts the URL, and that its user and password can be parsed. */
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
        Connection connection = DriverManager.getConnection(url, properties);
        if (boundsConnectOnly) {
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

    private static boolean names(String url, String property) {
        return CREDENTIALS.matcher(url).find()
                || Pattern.compile("[?;&(,]\\s*" + property + "\\s*=", Pattern.CASE_INSENSITIVE)
                        .matcher(url)
                        .find();
    }
}

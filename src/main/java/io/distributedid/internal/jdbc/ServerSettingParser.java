package io.distributedid.internal.jdbc;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/**
 * Parses a setting that lists databases: JDBC URLs and JNDI names in one text, separated by commas; or a
 * {@link DataSource}; or a collection or array of any of these.
 */
public final class ServerSettingParser {

    /** The allowed values, for messages. */
    public static final String ALLOWED = "JDBC URLs (jdbc:...) or JNDI names (java:...) separated by commas,"
            + " or DataSource objects in the settings map";

    /** A JDBC URL may contain commas: a comma is a separator only before a new URL or JNDI name. */
    private static final Pattern SEPARATOR = Pattern.compile("\\s*,\\s*(?=jdbc[:/]|java:)");

    private static final Pattern UNFINISHED_LIST = Pattern.compile(",\\s|,$");

    private ServerSettingParser() {}

    /**
     * The servers in the order of the setting, without connecting to them. Empty if it is not set. {@code name},
     * {@code user} and {@code password} are names of settings.
     *
     * @param timeout for connecting and for each answer
     * @throws IdConfigurationException if an entry is not a database, or is listed twice
     */
    public static List<ConnectionAccess> find(
            Settings settings, String name, String user, String password, Duration timeout) {
        List<Object> entries = new ArrayList<>();
        settings.object(name).ifPresent(value -> flatten(value, entries));
        Properties credentials = JdbcUrl.credentials(
                settings.text(user).orElse(null),
                settings.object(password).map(Object::toString).orElse(null));
        List<ConnectionAccess> servers = new ArrayList<>();
        Set<Object> seen = new HashSet<>();
        for (Object entry : entries) {
            ConnectionAccess server = open(settings, name, entry, credentials, timeout, servers.size() + 1);
            if (!seen.add(entry instanceof String ? server.label() : entry)) {
                throw settings.invalid(name, server.label() + " twice", "every server once");
            }
            servers.add(server);
        }
        return List.copyOf(servers);
    }

    /** The entries of a setting; a text with commas is split. */
    public static List<Object> entries(Object value) {
        List<Object> entries = new ArrayList<>();
        flatten(value, entries);
        return entries;
    }

    private static void flatten(Object value, List<Object> into) {
        if (value instanceof Collection<?> collection) {
            collection.forEach(element -> flatten(element, into));
        } else if (value instanceof Object[] array) {
            Arrays.stream(array).forEach(element -> flatten(element, into));
        } else if (value instanceof CharSequence text) {
            into.addAll(Arrays.asList(SEPARATOR.split(text.toString().strip())));
        } else {
            into.add(value);
        }
    }

    private static ConnectionAccess open(
            Settings settings, String name, Object entry, Properties credentials, Duration timeout, int number) {
        if (entry instanceof DataSource dataSource) {
            return new Pooled(dataSource, "data source " + number);
        }
        if (entry instanceof ConnectionAccess access) {
            return access;
        }
        if (entry instanceof String text && text.startsWith("jdbc:")) {
            if (UNFINISHED_LIST.matcher(text).find()) {
                throw settings.invalid(name, JdbcUrl.label(text), ALLOWED);
            }
            return new JdbcUrl(text, credentials, timeout);
        }
        if (entry instanceof String text && (text.startsWith("java:") || text.startsWith("jdbc/"))) {
            return new Pooled(lookUp(settings, name, text), text);
        }
        throw settings.invalid(
                name,
                entry instanceof String text
                        ? JdbcUrl.label(text)
                        : entry.getClass().getName(),
                ALLOWED);
    }

    /** The JNDI name comes from the deployer, who also controls the class path. */
    @SuppressWarnings("BanJNDI")
    private static DataSource lookUp(Settings settings, String name, String jndiName) {
        try {
            if (new InitialContext().lookup(jndiName) instanceof DataSource dataSource) {
                return dataSource;
            }
        } catch (NamingException e) {
            IdConfigurationException error = settings.invalid(name, jndiName, "the JNDI name of a DataSource");
            error.initCause(e);
            throw error;
        }
        throw settings.invalid(name, jndiName, "the JNDI name of a DataSource");
    }

    private record Pooled(DataSource dataSource, String label) implements ConnectionAccess {

        @Override
        public Connection obtain() throws SQLException {
            return dataSource.getConnection();
        }

        @Override
        public String toString() {
            return label;
        }
    }
}

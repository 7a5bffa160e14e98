package io.distributedid.internal.jdbc;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** A JDBC URL may contain commas: a comma is a separator only before a new URL or JNDI name. */
    private static final Pattern SEPARATOR = Pattern.compile("\\s*,\\s*(?=jdbc[:/]|java:|https?://)");

    /** A driver would take the rest for its parameters, and the second server would be missing in silence. */
    private static final Pattern WRONG_SEPARATOR = Pattern.compile("\\s*;\\s*(?=jdbc[:/]|java:)");

    private static final Pattern UNFINISHED_LIST = Pattern.compile(",\\s|,$");

    /** The end of a message. */
    public static final String LAST_COMMA = ". Remove the comma that no server follows";

    /** What may be written for one server. */
    public static final String ONE =
            "a JDBC URL (jdbc:...), a JNDI name (java:...) or a DataSource object in the settings map";

    private ServerSettingParser() {}

    /**
     * The servers in the order of the setting, without connecting to them. Empty if it is not set.
     *
     * @throws IdConfigurationException if an entry is not a database, or is listed twice
     */
    public static List<ConnectionAccess> find(
            Settings settings, Setting<?> setting, Setting<String> user, Setting<String> password) {
        List<Object> entries =
                settings.find(setting).map(value -> entries((Object) value)).orElse(List.of());
        Properties credentials = JdbcUrl.credentials(
                settings.find(user).orElse(null), settings.find(password).orElse(null));
        String whose = settings.writtenAs(user) + " and " + settings.writtenAs(password);
        List<ConnectionAccess> servers = new ArrayList<>();
        Set<Object> seen = new HashSet<>();
        for (Object entry : entries) {
            ConnectionAccess server = open(settings, setting, entry, credentials, whose, servers.size() + 1);
            if (!seen.add(entry instanceof String ? server.label() : entry)) {
                throw settings.invalid(setting, server.label() + " twice", "every server once");
            }
            servers.add(server);
        }
        return List.copyOf(servers);
    }

    /**
     * As {@link #find}, of a setting that takes one server.
     *
     * @param allowed what to do instead of several, after "one, "
     */
    public static Optional<ConnectionAccess> findOne(
            Settings settings, Setting<?> setting, Setting<String> user, Setting<String> password, String allowed) {
        List<ConnectionAccess> found = find(settings, setting, user, password);
        if (found.size() > 1) {
            throw settings.invalid(setting, found.size() + " servers", "one, " + allowed);
        }
        return found.stream().findFirst();
    }

    /** The entries of a setting; a text with commas is split. */
    public static List<Object> entries(Object value) {
        if (value instanceof Collection<?> several) {
            return several.stream().flatMap(each -> entries(each).stream()).toList();
        }
        if (value instanceof Object[] several) {
            return entries(Arrays.asList(several));
        }
        return value instanceof CharSequence text
                ? List.of((Object[]) SEPARATOR.split(text.toString().strip()))
                : List.of(value);
    }

    /**
     * The value with databases in place of the JNDI names that the current thread can look up.
     *
     * @param setting its name, as it was written
     */
    public static Object lookedUp(String setting, Object value) {
        Map<String, Object> byName = new HashMap<>();
        List<Object> all = entries(value).stream()
                .map(entry -> entry instanceof String text && isJndiName(text)
                        ? byName.computeIfAbsent(text, name -> lookedUpOrSame(setting, name))
                        : entry)
                .toList();
        return byName.isEmpty() ? value : all;
    }

    private static Object lookedUpOrSame(String setting, String jndiName) {
        try {
            return pooled(lookUp(jndiName), jndiName, setting);
        } catch (NamingException e) {
            return jndiName;
        }
    }

    private static ConnectionAccess open(
            Settings settings, Setting<?> setting, Object entry, Properties credentials, String whose, int number) {
        String servers = settings.writtenAs(setting);
        if (entry instanceof ConnectionAccess access) {
            return access;
        }
        if (entry instanceof DataSource dataSource) {
            return pooled(dataSource, "data source " + number, servers);
        }
        if (!(entry instanceof String text)) {
            throw settings.invalid(setting, entry.getClass().getName(), setting.allowed());
        }
        requireCommas(settings, setting, text);
        boolean isJndi = isJndiName(text);
        String label = isJndi ? text : JdbcUrl.label(text);
        if (!isJndi && !text.startsWith("jdbc:")) {
            throw settings.invalid(setting, label, setting.allowed());
        }
        if (UNFINISHED_LIST.matcher(text).find()) {
            throw settings.invalid(setting, label, setting.allowed() + LAST_COMMA);
        }
        if (!isJndi) {
            JdbcUrl url = new JdbcUrl(text, credentials);
            return new ConfiguredServer(
                    label, url::obtain, servers, whose + ", or user and password in the URL if it has them");
        }
        try {
            return pooled(lookUp(text), text, servers);
        } catch (NamingException e) {
            IdConfigurationException error = settings.invalid(setting, text, "the JNDI name of a DataSource");
            error.initCause(e);
            throw error;
        }
    }

    /** A URL with a wrong beginning is none: JNDI's own errors would show its password. */
    private static boolean isJndiName(String text) {
        return (text.startsWith("java:") || text.startsWith("jdbc/")) && !text.contains("//");
    }

    private static void requireCommas(Settings settings, Setting<?> setting, String text) {
        List<String> labels =
                WRONG_SEPARATOR.splitAsStream(text).map(JdbcUrl::label).toList();
        if (labels.size() > 1) {
            throw settings.invalid(
                    setting,
                    String.join(";", labels),
                    "servers separated by commas. Write ',' for ';': " + String.join(", ", labels));
        }
    }

    private static ConnectionAccess pooled(DataSource dataSource, String label, String servers) {
        return new ConfiguredServer(
                label,
                timeout -> dataSource.getConnection(),
                "the data source of " + servers,
                "user and password of the data source of " + servers);
    }

    /** The JNDI name comes from the deployer, who also controls the class path. */
    @SuppressWarnings("BanJNDI")
    private static DataSource lookUp(String jndiName) throws NamingException {
        if (new InitialContext().lookup(jndiName) instanceof DataSource dataSource) {
            return dataSource;
        }
        throw new NamingException("The object with this name is not a DataSource: " + jndiName);
    }
}

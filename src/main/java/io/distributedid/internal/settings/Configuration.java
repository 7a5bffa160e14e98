package io.distributedid.internal.settings;

import io.distributedid.DistributedIdSettings;
import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * What is configured, in one line for the log: all settings in the order of their names, and what the backends take by
 * default. Users and passwords are masked, wherever they are written; servers have their labels, as in messages.
 */
public final class Configuration {

    private static final Map<String, Map<String, String>> DEFAULTS = Map.of(
            "snowflake", Map.of(DistributedIdSettings.SNOWFLAKE_LAYOUT, "snowflake"),
            "next_id", Map.of(DistributedIdSettings.NEXT_ID_LAYOUT, "instagram"),
            "ticket", Map.of(DistributedIdSettings.TICKET_TABLE, "Tickets64"),
            "sequence_table", Map.of(DistributedIdSettings.SEQUENCE_TABLE_SERVERS, "the application's database"));

    private Configuration() {}

    public static String of(Settings settings) {
        Map<String, Object> all = new TreeMap<>();
        addDefaults(settings, DistributedIdSettings.PREFIX, all);
        settings.sequences().stream()
                .filter(name -> settings.asMap().containsKey(DistributedIdSettings.SEQUENCE_PREFIX + name + ".backend"))
                .forEach(name -> addDefaults(
                        settings.forSequence(name), DistributedIdSettings.SEQUENCE_PREFIX + name + ".", all));
        all.putAll(settings.asMap());
        return all.entrySet().stream()
                .map(each -> said(each.getKey(), each.getValue()))
                .collect(Collectors.joining("; "));
    }

    private static void addDefaults(Settings settings, String prefix, Map<String, Object> into) {
        settings.text(DistributedIdSettings.BACKEND)
                .map(backend -> DEFAULTS.getOrDefault(backend, Map.of()))
                .ifPresent(defaults -> defaults.forEach((name, value) -> {
                    if (settings.object(name).isEmpty()) {
                        into.put(prefix + name.substring(DistributedIdSettings.PREFIX.length()), value);
                    }
                }));
    }

    private static String said(String name, Object value) {
        String shortName = name.substring(DistributedIdSettings.PREFIX.length());
        return shortName + "=" + Secrets.mask(shortName).orElseGet(() -> said(ServerSettingParser.entries(value)));
    }

    private static String said(List<Object> entries) {
        return entries.stream().map(Configuration::said).collect(Collectors.joining(", "));
    }

    private static String said(Object entry) {
        if (entry instanceof ConnectionAccess access) {
            return access.label();
        }
        if (entry instanceof DataSource) {
            return "data source";
        }
        if (entry instanceof CharSequence text) {
            return Secrets.anonymous(text.toString());
        }
        boolean plain = entry instanceof Number
                || entry instanceof Boolean
                || entry instanceof Enum
                || entry instanceof Duration;
        return plain ? entry.toString() : entry.getClass().getName();
    }
}

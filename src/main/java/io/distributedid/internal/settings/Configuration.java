package io.distributedid.internal.settings;

import io.distributedid.DistributedIdSettings;
import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * The line in the log at start: all settings in the order of their names, and the defaults that decide which ids are
 * made. Users and passwords are masked; servers have their labels, as in messages.
 *
 * @param declared returns the settings that the backend of a sequence declares
 */
public record Configuration(Settings settings, Function<Settings, Collection<Setting<?>>> declared) {

    @Override
    public String toString() {
        Map<String, Object> all = new TreeMap<>();
        addDefaults(settings, DistributedIdSettings.PREFIX, all);
        settings.sequences().stream()
                .filter(name -> settings.asMap().containsKey(DistributedIdSettings.SEQUENCE_PREFIX + name + ".backend"))
                .forEach(name -> addDefaults(
                        settings.forSequence(name), DistributedIdSettings.SEQUENCE_PREFIX + name + ".", all));
        all.putAll(settings.asMap());
        return all.entrySet().stream()
                .map(each -> text(each.getKey(), each.getValue()))
                .collect(Collectors.joining("; "));
    }

    private void addDefaults(Settings of, String prefix, Map<String, Object> into) {
        declared.apply(of).stream()
                .filter(each -> each.isLogged() && of.given(each).isEmpty())
                .forEach(each -> into.put(
                        prefix + each.name().substring(DistributedIdSettings.PREFIX.length()), each.defaultText()));
    }

    private static String text(String name, Object value) {
        String shortName = name.substring(DistributedIdSettings.PREFIX.length());
        return shortName + "=" + Secrets.mask(shortName).orElseGet(() -> text(ServerSettingParser.entries(value)));
    }

    private static String text(List<Object> entries) {
        return entries.stream().map(Configuration::text).collect(Collectors.joining(", "));
    }

    private static String text(Object entry) {
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

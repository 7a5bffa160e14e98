package io.distributedid.internal.settings;

import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * The line in the log at start: all settings in the order of their names, and the defaults that decide which ids are
 * made. Users and secrets are masked, as is what nothing declares; servers have their labels, as in messages.
 *
 * @param known all settings that anything declares
 * @param declared returns the settings that the backend of a sequence declares
 */
public record Configuration(
        Settings settings, Collection<Setting<?>> known, Function<Settings, Collection<Setting<?>>> declared) {

    private static final String USER = ".user";

    @Override
    public String toString() {
        return shown().entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining("; "));
    }

    /** The same, by the names without their prefix. */
    public Map<String, String> shown() {
        Map<String, Object> all = new TreeMap<>();
        addDefaults(settings, Setting.PREFIX, all);
        settings.sequences().stream()
                .filter(name -> settings.asMap().containsKey(Setting.SEQUENCE_PREFIX + name + ".backend"))
                .forEach(name -> addDefaults(settings.forSequence(name), Setting.SEQUENCE_PREFIX + name + ".", all));
        all.putAll(settings.asMap());
        Map<String, String> shown = new TreeMap<>();
        all.forEach((name, value) -> shown.put(shortName(name), isPublic(name) ? text(value) : Secrets.MASK));
        return shown;
    }

    /** The other defaults of the backends in use, by the names without their prefix. */
    public Map<String, String> defaults() {
        Map<String, String> defaults = new TreeMap<>();
        settings.views()
                .flatMap(view -> Stream.concat(CoreSettings.ALL.stream(), declared.apply(view).stream()))
                .filter(each -> !each.defaultText().isEmpty())
                .forEach(each -> defaults.put(shortName(each.name()), each.defaultText()));
        defaults.keySet().removeAll(shown().keySet());
        return defaults;
    }

    private static String shortName(String name) {
        return name.substring(Setting.PREFIX.length());
    }

    private void addDefaults(Settings of, String prefix, Map<String, Object> into) {
        declared.apply(of).stream()
                .filter(each -> each.isLogged() && of.given(each).isEmpty())
                .forEach(each -> into.put(prefix + each.name().substring(Setting.PREFIX.length()), each.defaultText()));
    }

    private boolean isPublic(String name) {
        String general = SettingNames.general(name);
        return !name.endsWith(USER)
                && known.stream().anyMatch(each -> each.name().equals(general) && !each.isSecret());
    }

    private static String text(Object value) {
        return ServerSettingParser.entries(value).stream()
                .map(Configuration::entryText)
                .collect(Collectors.joining(", "));
    }

    private static String entryText(Object entry) {
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

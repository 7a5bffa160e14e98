package io.distributedid.spring;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.internal.settings.SettingSpelling;
import io.distributedid.internal.settings.WordSpelling;
import io.distributedid.spi.Setting;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Reads {@code distributedid.*} from Spring's environment, in any spelling of {@link SettingSpelling} and
 * {@link WordSpelling}. As everywhere in Spring, the first property source with a setting wins, a list comes from one
 * source as a whole, and placeholders are replaced.
 *
 * <p>An unknown property is kept as written, so that it fails the start as it does without Spring. An unknown
 * environment variable is ignored with a warning, since a cluster names variables after its services.
 */
public final class EnvironmentSettings {

    private static final Logger LOG = System.getLogger(EnvironmentSettings.class.getName());

    /** Variables, of which one warning is enough: a start reads the environment several times. */
    private static final Set<String> WARNED_OF = ConcurrentHashMap.newKeySet();

    /** Spring Boot's view of all other sources. Its names can't be listed. */
    private static final String VIEW = "configurationProperties";

    private final ConfigurableEnvironment environment;

    private final Set<String> known = InstalledBackends.settingNames();

    private final SettingSpelling spelling = new SettingSpelling(known);

    private final WordSpelling words =
            new WordSpelling(InstalledBackends.declarations(), InstalledBackends.backendNames());

    private EnvironmentSettings(ConfigurableEnvironment environment) {
        this.environment = environment;
    }

    /**
     * Returns all settings by their full names. A property with an index becomes a list; objects stay as they are.
     * Fails if one source has two spellings of a setting with different values, or a placeholder has no value.
     */
    public static Map<String, Object> of(ConfigurableEnvironment environment) {
        EnvironmentSettings reader = new EnvironmentSettings(environment);
        Map<String, Object> all = new TreeMap<>();
        environment.getPropertySources().forEach(source -> reader.read(source).forEach(all::putIfAbsent));
        return all;
    }

    private Map<String, Object> read(PropertySource<?> source) {
        boolean variables = source instanceof SystemEnvironmentPropertySource;
        Map<String, Object> texts = new TreeMap<>();
        Map<String, TreeMap<Integer, Object>> lists = new TreeMap<>();
        for (String property : names(source)) {
            Object value = source.getProperty(property);
            if (value == null) {
                continue;
            }
            String plain = SettingSpelling.withoutIndex(property);
            Optional<String> setting = variables ? spelling.ofVariable(plain) : spelling.ofProperty(plain);
            if (variables && setting.isEmpty()) {
                plain = SettingSpelling.variableWithoutIndex(property);
                setting = spelling.ofVariable(plain);
            }
            if (setting.isEmpty()) {
                warnIfVariable(variables, property);
                continue;
            }
            Object resolved = words.of(setting.get(), resolved(property, value));
            if (plain.equals(property)) {
                Object other = texts.put(setting.get(), resolved);
                requireSame(setting.get(), other, resolved);
            } else {
                lists.computeIfAbsent(setting.get(), any -> new TreeMap<>())
                        .put(index(property.substring(plain.length())), resolved);
            }
        }
        lists.forEach((setting, elements) -> texts.putIfAbsent(setting, List.copyOf(elements.values())));
        return texts;
    }

    private List<String> names(PropertySource<?> source) {
        if (source instanceof EnumerablePropertySource<?> listed) {
            return Arrays.asList(listed.getPropertyNames());
        }
        return source.getName().equals(VIEW) ? List.of() : List.copyOf(known);
    }

    private static int index(String suffix) {
        return Integer.parseInt(suffix.replaceAll("\\D", ""));
    }

    /** Drops Spring's own error, whose message has the whole value, which may be a password. */
    private Object resolved(String property, Object value) {
        if (!(value instanceof CharSequence text)) {
            return value;
        }
        try {
            return environment.resolveRequiredPlaceholders(text.toString());
        } catch (IllegalArgumentException e) {
            throw new IdConfigurationException("A placeholder in a setting must have a value: " + property
                    + ", allowed: " + "${name} of a property that there is, or ${name:default}");
        }
    }

    private static void requireSame(String setting, @Nullable Object one, Object other) {
        if (one != null && !one.equals(other)) {
            throw new IdConfigurationException(
                    "A setting must have one value: " + setting + " is written in two spellings, which differ");
        }
    }

    private static void warnIfVariable(boolean variables, String name) {
        String prefix = Setting.PREFIX.replace('.', '_');
        if (variables && name.toLowerCase(Locale.ROOT).startsWith(prefix) && WARNED_OF.add(name)) {
            LOG.log(Level.WARNING, "There is no such setting, so the environment variable is ignored: {0}", name);
        }
    }
}

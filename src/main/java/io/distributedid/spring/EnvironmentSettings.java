package io.distributedid.spring;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.internal.registry.SettingWords;
import io.distributedid.spi.Setting;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Reads {@code distributedid.*} from Spring's environment. Names are compared as Spring Boot compares them:
 * {@code block.max_age}, {@code block.max-age} and {@code block.maxAge} are one, and the variables
 * {@code DISTRIBUTEDID_BLOCK_MAX_AGE} and {@code DISTRIBUTEDID_BLOCK_MAXAGE}. So are words in values. The name of a
 * sequence stays as written; in a variable it is lower case. As everywhere in Spring, the first property source with a
 * setting wins, a list comes from one source as a whole, and placeholders are replaced.
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

    private static final ConfigurationPropertyName ALL = ConfigurationPropertyName.of("distributedid");

    private static final ConfigurationPropertyName SEQUENCE = ConfigurationPropertyName.of("distributedid.seq");

    private static final String VARIABLE = "distributedid_";

    private static final String SEQUENCE_VARIABLE = "distributedid_seq_";

    /** Read by the command line only. */
    private static final String COMMANDS_PASSWORD = "distributedid_database_password";

    private static final Pattern VARIABLE_INDEX = Pattern.compile("_(\\d+)$");

    private final ConfigurableEnvironment environment;

    /** The full names of all settings, as Spring compares them. */
    private final Map<ConfigurationPropertyName, String> names = new HashMap<>();

    /** The full names of all settings by both forms of a variable, in lower case. */
    private final Map<String, String> variables = new HashMap<>();

    private final SettingWords words = SettingWords.installed();

    private EnvironmentSettings(ConfigurableEnvironment environment) {
        this.environment = environment;
        for (Setting<?> setting : InstalledBackends.declarations()) {
            String name = setting.name();
            names.put(ConfigurationPropertyName.of(name.replace('_', '-')), name);
            variables.put(name.replace('.', '_'), name);
            variables.put(name.replace("_", "").replace('.', '_'), name);
        }
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

    /** A setting as a source names it; without index, it is the setting's only value. */
    private record Written(String setting, @Nullable Integer index) {}

    private Map<String, Object> read(PropertySource<?> source) {
        Map<String, Object> values = new TreeMap<>();
        Map<String, TreeMap<Integer, Object>> lists = new TreeMap<>();
        for (String property : properties(source)) {
            Object value = source.getProperty(property);
            if (value == null) {
                continue;
            }
            Optional<Written> written =
                    source instanceof SystemEnvironmentPropertySource ? ofVariable(property) : ofProperty(property);
            written.ifPresent(found -> {
                Object read = word(found.setting, resolved(property, value));
                if (found.index == null) {
                    requireSame(found.setting, values.put(found.setting, read), read);
                } else {
                    lists.computeIfAbsent(found.setting, any -> new TreeMap<>()).put(found.index, read);
                }
            });
        }
        lists.forEach((setting, elements) -> values.putIfAbsent(setting, List.copyOf(elements.values())));
        return values;
    }

    private Collection<String> properties(PropertySource<?> source) {
        if (source instanceof EnumerablePropertySource<?> listed) {
            return Arrays.asList(listed.getPropertyNames());
        }
        return source.getName().equals(VIEW) ? List.of() : names.values();
    }

    /** Empty if the property is not ours. */
    private Optional<Written> ofProperty(String property) {
        ConfigurationPropertyName whole = ConfigurationPropertyName.adapt(property, '.');
        if (!ALL.isAncestorOf(whole)) {
            return Optional.empty();
        }
        boolean isElement = whole.isLastElementIndexed() && whole.isNumericIndex(whole.getNumberOfElements() - 1);
        ConfigurationPropertyName name = isElement ? whole.getParent() : whole;
        boolean isOwn = SEQUENCE.isAncestorOf(name) && name.getNumberOfElements() > 3;
        String known = names.get(isOwn ? ALL.append(name.subName(3)) : name);
        if (known == null) {
            return Optional.of(new Written(Setting.PREFIX + property.substring(property.indexOf('.') + 1), null));
        }
        return Optional.of(new Written(
                isOwn ? ofSequence(name.getElement(2, Form.ORIGINAL), known) : known,
                isElement ? Integer.valueOf(whole.getLastElement(Form.ORIGINAL)) : null));
    }

    private static String ofSequence(String sequence, String setting) {
        return Setting.SEQUENCE_PREFIX + sequence + "." + setting.substring(Setting.PREFIX.length());
    }

    /** Empty if the variable is not ours, or unknown. */
    private Optional<Written> ofVariable(String property) {
        String variable = property.toLowerCase(Locale.ROOT);
        if (!variable.startsWith(VARIABLE)) {
            return Optional.empty();
        }
        Optional<Written> written = named(variable)
                .map(name -> new Written(name, null))
                .or(() -> VARIABLE_INDEX
                        .matcher(variable)
                        .results()
                        .findFirst()
                        .flatMap(index -> named(variable.substring(0, index.start()))
                                .map(name -> new Written(name, Integer.valueOf(index.group(1))))));
        if (written.isEmpty() && !variable.equals(COMMANDS_PASSWORD) && WARNED_OF.add(property)) {
            LOG.log(Level.WARNING, "There is no such setting, so the environment variable is ignored: {0}", property);
        }
        return written;
    }

    /** Of the settings that the variable of a sequence may end with, the longest counts. */
    private Optional<String> named(String variable) {
        if (variables.containsKey(variable) || !variable.startsWith(SEQUENCE_VARIABLE)) {
            return Optional.ofNullable(variables.get(variable));
        }
        int start = SEQUENCE_VARIABLE.length();
        for (int end = variable.indexOf('_', start + 1); end > 0; end = variable.indexOf('_', end + 1)) {
            String known = variables.get(VARIABLE + variable.substring(end + 1));
            if (known != null) {
                return Optional.of(ofSequence(variable.substring(start, end), known));
            }
        }
        return Optional.empty();
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
                    + ", allowed: " + "${name} of an existing property, or ${name:default}");
        }
    }

    /** A word of the setting as it is declared. */
    private Object word(String setting, Object value) {
        return value instanceof CharSequence || value instanceof Boolean
                ? words.find(setting, value.toString()).map(Object.class::cast).orElse(value)
                : value;
    }

    private static void requireSame(String setting, @Nullable Object one, Object other) {
        if (one != null && !one.equals(other)) {
            throw new IdConfigurationException(
                    "A setting must have one value: " + setting + " is written in two spellings with different values");
        }
    }
}

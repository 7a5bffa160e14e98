package io.distributedid.cli;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.internal.registry.SettingWords;
import io.distributedid.internal.settings.PersistenceProperties;
import io.distributedid.internal.settings.Secrets;
import io.distributedid.internal.settings.SettingNames;
import io.distributedid.spi.Setting;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings in a file of Spring Boot, by the names of everywhere. Reads the spellings that the library documents for
 * Spring, {@code spring.datasource} as the application's database, {@code spring.jpa.properties} before the rest, and
 * placeholders that name variables of the environment. Refuses what would make the application run with other settings
 * than those in this file: profiles, imports, and names that look like settings and are not read.
 */
final class SpringSettings {

    private static final String UNIT = "spring.jpa.properties.";

    private static final Map<String, String> DATABASE = Map.of(
            "spring.datasource.url", "jakarta.persistence.jdbc.url",
            "spring.datasource.username", "jakarta.persistence.jdbc.user",
            "spring.datasource.password", PersistenceProperties.PASSWORD);

    private static final Pattern ELSEWHERE =
            Pattern.compile("spring\\.(config\\.(activate|import)|profiles\\.(active|default|include|group))\\b.*");

    /** What commands use. Only there, placeholders are looked at. */
    private static final Pattern USED = Pattern.compile(
            "distributedid\\..*|(jakarta|javax)\\.persistence\\.jdbc\\..*|hibernate\\.(connection\\.|default_).*");

    /** Looks like a setting, such as those in a file of Quarkus. Loggers and meters have such names, too. */
    private static final Pattern OVERLOOKED =
            Pattern.compile("database\\.password|(?!logging\\.|management\\.).*(?<!\\bio\\.)\\bdistributedid\\..*");

    /**
     * Matches each begin of a placeholder; without a name, it is another one than {@code ${NAME}}. Spring compares
     * other names loosely with those of the file.
     */
    private static final Pattern PLACEHOLDER = Pattern.compile("\\\\?\\$\\{(?:([A-Z_][A-Z0-9_]*)(?::([^${}]*))?})?");

    private final Path file;

    private final Map<String, String> environment;

    private final Collection<Setting<?>> declared = InstalledBackends.declarations();

    /** All names in the file. */
    private final Set<String> keys;

    /** The names of all settings, by what Spring compares. */
    private final Map<String, String> names = new HashMap<>();

    private final SettingWords words = SettingWords.installed();

    private SpringSettings(Path file, Set<String> keys, Map<String, String> environment) {
        this.file = file;
        this.keys = keys;
        this.environment = environment;
        declared.forEach(setting -> names.put(SettingWords.plain(setting.name()), setting.name()));
    }

    /** What belongs to others is left out. */
    static Map<String, Object> of(Path file, Map<String, Object> written, Map<String, String> environment) {
        return new SpringSettings(file, written.keySet(), environment).of(written);
    }

    private Map<String, Object> of(Map<String, Object> written) {
        Map<String, Object> settings = new LinkedHashMap<>();
        Map<String, Object> ofUnit = new LinkedHashMap<>();
        written.forEach((name, value) -> {
            if (ELSEWHERE.matcher(name).matches()) {
                throw new IdConfigurationException("Settings of profiles and of other files are not read: --config="
                        + file + " has " + name + ". Write those that the application runs with into one file");
            }
            if (name.startsWith(UNIT)) {
                put(ofUnit, name, name.substring(UNIT.length()), value);
            } else {
                put(settings, name, DATABASE.getOrDefault(name, name), value);
            }
        });
        settings.putAll(ofUnit);
        return settings;
    }

    private void put(Map<String, Object> settings, String written, String name, Object value) {
        if (!USED.matcher(name).matches()) {
            if (OVERLOOKED.matcher(name).matches()) {
                throw new IdConfigurationException("A setting would not be read: " + written + " --config=" + file
                        + ", allowed in a file of Spring Boot: distributedid.NAME. Write settings in other forms into a"
                        + " file with another name, such as ids.properties");
            }
            return;
        }
        String known = known(name);
        Object read = value instanceof List<?> elements
                ? elements.stream()
                        .map(each -> read(written, known, each.toString()))
                        .toList()
                : read(written, known, value.toString());
        Object before = settings.put(known, read);
        if (before != null && !before.equals(read)) {
            throw new IdConfigurationException("A setting must have one value: " + known
                    + " is written in two spellings with different values: --config=" + file);
        }
    }

    private String read(String written, String name, String value) {
        String resolved = resolved(written, name, value);
        return words.find(name, resolved).orElse(resolved);
    }

    /** The name that is declared. An unknown one stays, and is refused later. */
    private String known(String name) {
        String general = SettingNames.general(name);
        String known = names.getOrDefault(SettingWords.plain(general), general);
        return name.startsWith(Setting.PREFIX)
                ? name.substring(0, name.length() - general.length() + Setting.PREFIX.length())
                        + known.substring(Setting.PREFIX.length())
                : name;
    }

    private String resolved(String written, String name, String value) {
        return PLACEHOLDER.matcher(value).replaceAll(found -> {
            String variable = found.group(1);
            if (variable == null || found.group().startsWith("\\") || keys.contains(variable)) {
                throw new IdConfigurationException("A placeholder must name a variable of the environment: " + written
                        + " --config=" + file
                        + ", allowed: ${NAME} or ${NAME:default} in capital letters, with a name that"
                        + " the file does not define, or the value itself");
            }
            String resolved = environment.getOrDefault(variable, found.group(2));
            if (resolved == null && found.group().equals(value) && Secrets.isSecret(name, declared)) {
                // Refused by the name of the setting once it is used: many commands need no password.
                resolved = value;
            } else if (resolved == null) {
                throw new IdConfigurationException("A placeholder has no value: ${" + variable + "} in " + written
                        + " --config=" + file + ". Set this variable of the environment, or write the value itself");
            }
            return Matcher.quoteReplacement(resolved);
        });
    }
}

package io.distributedid.cli;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.internal.settings.PersistenceProperties;
import io.distributedid.internal.settings.SettingNames;
import io.distributedid.spi.Setting;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings in a file of Spring Boot, by the names of everywhere. Reads the spellings that the library documents for
 * Spring, {@code spring.datasource} as the application's database, {@code spring.jpa.properties} before the rest, and
 * placeholders that name variables of the environment. Refuses what would make the application run with other settings
 * than those in this file: documents for profiles, and imports.
 */
final class SpringSettings {

    private static final String UNIT = "spring.jpa.properties.";

    private static final Map<String, String> DATABASE = Map.of(
            "spring.datasource.url", "jakarta.persistence.jdbc.url",
            "spring.datasource.username", "jakarta.persistence.jdbc.user",
            "spring.datasource.password", PersistenceProperties.PASSWORD);

    private static final Pattern ELSEWHERE = Pattern.compile("spring\\.config\\.(activate|import)\\b.*");

    /** Matches each begin of a placeholder; without a name, it is another one than {@code ${NAME}}. */
    private static final Pattern PLACEHOLDER = Pattern.compile("\\\\?\\$\\{(?:([A-Za-z_]\\w*)(?::([^${}]*))?})?");

    private final Path file;

    private final Map<String, String> environment;

    /** The names of all settings, by what Spring compares. */
    private final Map<String, String> names = new HashMap<>();

    /** The words that may be written, by the name of a setting. */
    private final Map<String, Collection<String>> words = new HashMap<>();

    SpringSettings(Path file, Map<String, String> environment) {
        this.file = file;
        this.environment = environment;
        for (Setting<?> setting : InstalledBackends.declarations()) {
            names.put(plain(setting.name()), setting.name());
            words.put(setting.name(), setting.words());
        }
        words.put(CoreSettings.BACKEND.name(), InstalledBackends.backendNames());
    }

    /** What belongs to others is left out. */
    Map<String, Object> of(Map<String, Object> written) {
        Map<String, Object> settings = new LinkedHashMap<>();
        Map<String, Object> ofUnit = new LinkedHashMap<>();
        written.forEach((name, value) -> {
            if (ELSEWHERE.matcher(name).matches()) {
                throw new IdConfigurationException("Settings of profiles and of other files are not read: --config="
                        + file + " has " + name + ". Write those with which the application runs into one file");
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
        if (!SettingsOptions.isAllowed(name)) {
            return;
        }
        String known = known(name);
        Object read = value instanceof List<?> elements
                ? elements.stream()
                        .map(each -> word(known, resolved(written, each.toString())))
                        .toList()
                : word(known, resolved(written, value.toString()));
        Object before = settings.put(known, read);
        if (before != null && !before.equals(read)) {
            throw new IdConfigurationException("A setting must have one value: " + known
                    + " is written in two spellings, which differ: --config=" + file);
        }
    }

    /** The name that is declared. An unknown one stays, and is refused later. */
    private String known(String name) {
        String general = SettingNames.general(name);
        String known = names.getOrDefault(plain(general), general);
        return name.startsWith(Setting.PREFIX)
                ? name.substring(0, name.length() - general.length() + Setting.PREFIX.length())
                        + known.substring(Setting.PREFIX.length())
                : name;
    }

    /** A word of the setting as it is declared; {@code false} is what YAML makes of {@code off}. */
    private String word(String name, String value) {
        String spoken = value.equals("false") ? "off" : plain(value.strip());
        return words.getOrDefault(SettingNames.general(name), List.of()).stream()
                .filter(word -> plain(word).equals(spoken))
                .findFirst()
                .orElse(value);
    }

    private static String plain(String text) {
        return text.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    }

    private String resolved(String written, String value) {
        return PLACEHOLDER.matcher(value).replaceAll(found -> {
            String variable = found.group(1);
            if (variable == null || found.group().startsWith("\\")) {
                throw new IdConfigurationException("A placeholder must name a variable of the environment: " + written
                        + " --config=" + file + ", allowed: ${NAME} or ${NAME:default}, or the value itself");
            }
            String resolved = environment.getOrDefault(variable, found.group(2));
            if (resolved == null) {
                throw new IdConfigurationException("A placeholder has no value: ${" + variable + "} in " + written
                        + " --config=" + file + ". Set this variable of the environment, or write the value itself");
            }
            return Matcher.quoteReplacement(resolved);
        });
    }
}

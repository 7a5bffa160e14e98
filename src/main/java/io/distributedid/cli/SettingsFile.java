package io.distributedid.cli;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.internal.settings.SettingSpelling;
import io.distributedid.internal.settings.WordSpelling;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A file of settings: properties, or a persistence.xml. */
final class SettingsFile {

    private static final String XML = ".xml";

    private static final Pattern YAML = Pattern.compile(".*\\.ya?ml", Pattern.CASE_INSENSITIVE);

    /** As Spring names its files, with a profile perhaps. */
    private static final Pattern OF_SPRING = Pattern.compile("application(-[^.]+)?\\.properties");

    private SettingsFile() {}

    /** {@code unit} is the persistence unit; null for the only one. */
    static Map<String, String> read(Path file, @Nullable String unit) {
        try {
            if (file.toString().endsWith(XML)) {
                return PersistenceXml.properties(file, unit);
            }
            if (unit != null) {
                throw new IdConfigurationException("Only a persistence.xml has persistence units: --unit=" + unit
                        + " --config=" + file + ", allowed: a file that ends in " + XML);
            }
            if (YAML.matcher(file.toString()).matches()) {
                throw new IdConfigurationException("YAML is not read: --config=" + file
                        + ", allowed: properties in UTF-8, or a persistence.xml. Write its distributedid.* into a"
                        + " properties file, one line for each setting (distributedid.ticket.servers=jdbc:...), with"
                        + " JDBC URLs for the names of beans and values for placeholders");
            }
            return properties(file);
        } catch (NoSuchFileException e) {
            throw new IdConfigurationException("There is no such file: --config=" + file, e);
        } catch (IOException | IllegalArgumentException e) {
            throw new IdConfigurationException(
                    "A file of settings can't be read: --config=" + file + ", allowed: properties in UTF-8, or a"
                            + " persistence.xml (" + e.getMessage() + ")",
                    e);
        }
    }

    private static Map<String, String> properties(Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        }
        Map<String, String> settings = new LinkedHashMap<>();
        properties.stringPropertyNames().forEach(name -> settings.put(name, properties.getProperty(name)));
        return OF_SPRING.matcher(String.valueOf(file.getFileName())).matches() ? ofSpring(settings, file) : settings;
    }

    /** In the spellings that Spring allows, but without its placeholders. */
    private static Map<String, String> ofSpring(Map<String, String> written, Path file) {
        SettingSpelling names = new SettingSpelling(InstalledBackends.settingNames());
        WordSpelling words = new WordSpelling(InstalledBackends.declarations(), InstalledBackends.backendNames());
        Map<String, String> settings = new LinkedHashMap<>();
        written.forEach((name, value) -> {
            Optional<String> ours = names.ofProperty(name);
            if (ours.isPresent() && value.contains("${")) {
                throw new IdConfigurationException("A placeholder of Spring is not replaced: " + name + " in --config="
                        + file + ", allowed: values. Put the value in, or write a properties file for"
                        + " this program");
            }
            settings.put(
                    ours.orElse(name),
                    ours.map(setting -> words.of(setting, value).toString()).orElse(value));
        });
        return settings;
    }
}

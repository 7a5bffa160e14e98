package io.distributedid.cli;

import io.distributedid.IdConfigurationException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A file of settings: properties, Spring Boot's application.yml or application.properties, or a persistence.xml. */
final class SettingsFile {

    private static final String ALLOWED =
            "properties in UTF-8, an application.yml or application.properties of Spring Boot, or a persistence.xml";

    private SettingsFile() {}

    /**
     * Reads a file.
     *
     * @param unit the persistence unit; null for the only one
     * @param environment variables that placeholders of Spring may name
     */
    static Map<String, Object> read(Path file, @Nullable String unit, Map<String, String> environment) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        boolean isXml = name.endsWith(".xml");
        if (unit != null && !isXml) {
            throw new IdConfigurationException("Only a persistence.xml has persistence units: --unit=" + unit
                    + " --config=" + file + ", allowed: a file that ends in .xml");
        }
        try {
            if (isXml) {
                return PersistenceXml.properties(file, unit);
            }
            boolean isYaml = name.endsWith(".yml") || name.endsWith(".yaml");
            try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                Map<String, Object> written = isYaml ? SpringYaml.properties(reader) : properties(reader);
                return isYaml || name.startsWith("application")
                        ? SpringSettings.of(file, written, environment)
                        : written;
            }
        } catch (NoSuchFileException e) {
            throw new IdConfigurationException("There is no such file: --config=" + file, e);
        } catch (IOException | IllegalArgumentException e) {
            throw new IdConfigurationException(
                    "A file of settings can't be read: --config=" + file + ", allowed: " + ALLOWED + " ("
                            + e.getMessage() + ")",
                    e);
        }
    }

    private static Map<String, Object> properties(Reader reader) throws IOException {
        Properties properties = new Properties();
        properties.load(reader);
        Map<String, Object> settings = new LinkedHashMap<>();
        properties.stringPropertyNames().forEach(name -> settings.put(name, properties.getProperty(name)));
        return settings;
    }
}

package io.distributedid.cli;

import io.distributedid.IdConfigurationException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A file of settings: properties, or a persistence.xml. */
final class SettingsFile {

    private static final String XML = ".xml";

    private static final Pattern YAML = Pattern.compile(".*\\.ya?ml", Pattern.CASE_INSENSITIVE);

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
        return settings;
    }
}

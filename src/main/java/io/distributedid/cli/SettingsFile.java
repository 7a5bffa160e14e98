package io.distributedid.cli;

import io.distributedid.IdConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * A file of settings: properties, Spring Boot's application.yml or application.properties, or a persistence.xml. Also
 * of Spring are properties under another name, if one of them begins with {@code spring.}.
 */
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
                return ofUnit(file, unit);
            }
            boolean isYaml = name.endsWith(".yml") || name.endsWith(".yaml");
            try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                Map<String, Object> written = isYaml ? SpringYaml.properties(reader) : properties(reader);
                boolean isSprings = name.startsWith("application")
                        || written.keySet().stream().anyMatch(key -> key.startsWith("spring."));
                return isYaml || isSprings ? SpringSettings.of(file, written, environment) : written;
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

    /** The properties of a persistence unit; {@code unit} is null if the file must have exactly one. */
    private static Map<String, Object> ofUnit(Path file, @Nullable String unit) throws IOException {
        List<Element> units = elements(parse(file), "persistence-unit").toList();
        List<Element> found = units.stream()
                .filter(each -> unit == null || each.getAttribute("name").equals(unit))
                .toList();
        if (found.size() != 1) {
            throw new IdConfigurationException("A persistence unit must be one of the file's: --unit="
                    + (unit == null ? "" : unit) + " --config=" + file + ", allowed: "
                    + units.stream().map(each -> each.getAttribute("name")).toList());
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        elements(found.get(0), "property")
                .forEach(property -> properties.put(property.getAttribute("name"), property.getAttribute("value")));
        return properties;
    }

    /** Allows no DTD, and so no external entities. */
    private static Element parse(Path file) throws IOException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        try (InputStream in = Files.newInputStream(file)) {
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            DocumentBuilder builder = factory.newDocumentBuilder();
            // Replaces the parser's own handler, which prints to the console.
            builder.setErrorHandler(new DefaultHandler());
            return builder.parse(in).getDocumentElement();
        } catch (SAXException | ParserConfigurationException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static Stream<Element> elements(Element in, String name) {
        NodeList nodes = in.getElementsByTagNameNS("*", name);
        return IntStream.range(0, nodes.getLength()).mapToObj(nodes::item).map(Element.class::cast);
    }
}

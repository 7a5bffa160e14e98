package io.distributedid.cli;

import io.distributedid.IdConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

/** Reads the properties of a persistence unit. Allows no DTD, and so no external entities. */
final class PersistenceXml {

    private PersistenceXml() {}

    /** {@code unit} is null if the file must have exactly one. */
    static Map<String, Object> properties(Path file, @Nullable String unit) throws IOException {
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

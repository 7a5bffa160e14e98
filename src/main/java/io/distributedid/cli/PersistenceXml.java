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
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/** Reads the properties of a persistence unit. Allows neither a DTD nor external entities. */
final class PersistenceXml {

    private PersistenceXml() {}

    /** {@code unit} is null if the file must have exactly one. */
    static Map<String, String> properties(Path file, @Nullable String unit) throws IOException {
        Element found = unit(file, elements(parse(file), "persistence-unit").toList(), unit);
        Map<String, String> properties = new LinkedHashMap<>();
        elements(found, "property")
                .forEach(property -> properties.put(property.getAttribute("name"), property.getAttribute("value")));
        return properties;
    }

    private static Element unit(Path file, List<Element> units, @Nullable String name) {
        List<Element> found = units.stream()
                .filter(unit -> name == null || unit.getAttribute("name").equals(name))
                .toList();
        if (found.size() == 1) {
            return found.get(0);
        }
        throw new IdConfigurationException("A persistence unit must be one of the file's: --unit="
                + (name == null ? "" : name) + " --config=" + file + ", allowed: "
                + units.stream().map(unit -> unit.getAttribute("name")).toList());
    }

    private static Element parse(Path file) throws IOException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        factory.setXIncludeAware(false);
        factory.setExpandEntityReferences(false);
        try (InputStream in = Files.newInputStream(file)) {
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
            DocumentBuilder builder = factory.newDocumentBuilder();
            builder.setErrorHandler(new Strict());
            Document document = builder.parse(in);
            return document.getDocumentElement();
        } catch (SAXException | ParserConfigurationException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static Stream<Element> elements(Element in, String name) {
        NodeList nodes = in.getElementsByTagNameNS("*", name);
        return IntStream.range(0, nodes.getLength()).mapToObj(nodes::item).map(Element.class::cast);
    }

    /** Replaces the parser's own handler, which prints to the console. */
    private static final class Strict implements ErrorHandler {

        @Override
        public void warning(SAXParseException e) {
            // Ignored.
        }

        @Override
        public void error(SAXParseException e) throws SAXException {
            throw e;
        }

        @Override
        public void fatalError(SAXParseException e) throws SAXException {
            throw e;
        }
    }
}

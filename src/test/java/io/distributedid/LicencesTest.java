package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The page of licences names the dependencies of the pom. */
class LicencesTest {

    private static final Page PAGE = Page.of("src/docs/internals/licences.md");

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\| [^|]+ \\|$");

    private static final Pattern SHADED = Pattern.compile("(?m)^- (\\S+): `([^`]+)`$");

    @Test
    void itListsTheOptionalDependenciesInTheOrderOfThePom() throws Exception {
        List<String> listed =
                ROW.matcher(PAGE.text()).results().map(row -> row.group(1)).toList();

        assertThat(listed)
                .isNotEmpty()
                .containsExactlyElementsOf(dependencies().stream()
                        .filter(dependency -> text(dependency, "optional").equals("true"))
                        .map(LicencesTest::name)
                        .toList());
    }

    /** What the library pulls into an application is nothing, as the page says. */
    @Test
    void everyOtherDependencyIsForTheCompilerOrForTests() throws Exception {
        for (Element dependency : dependencies()) {
            String scope = text(dependency, "scope");
            if (scope.equals("provided")) {
                assertThat(PAGE.text()).contains("`" + name(dependency) + "` is for the compiler");
            } else if (!scope.equals("test")) {
                assertThat(text(dependency, "optional"))
                        .as("%s is optional", name(dependency))
                        .isEqualTo("true");
            }
        }
    }

    @Test
    void itListsWhatTheJarOfTheServiceHolds() throws Exception {
        List<String> shaded = elements(shadedJar("attach-server")).stream()
                .map(Element::getTextContent)
                .toList();

        assertThat(SHADED.matcher(PAGE.section("In the jar of the service"))
                        .results()
                        .map(line -> line.group(2)))
                .isNotEmpty()
                .containsExactlyElementsOf(shaded);
    }

    /** The parts of a jar, in the pom. */
    private static NodeList shadedJar(String execution) throws Exception {
        return (NodeList) XPathFactory.newInstance()
                .newXPath()
                .evaluate(
                        "//execution[id='" + execution + "']//artifactSet/includes/include",
                        document(),
                        XPathConstants.NODESET);
    }

    @Test
    void everyLicenceIsWrittenByItsSpdxName() {
        assertThat(ROW.matcher(PAGE.text()).results().map(row -> row.group(2)))
                .allSatisfy(licence -> assertThat(licence.split(" or "))
                        .isSubsetOf(
                                "Apache-2.0",
                                "BSD-2-Clause",
                                "BSD-3-Clause",
                                "EPL-2.0",
                                "LGPL-2.1-or-later",
                                "MIT",
                                "MIT-0",
                                "MPL-2.0"));
    }

    private static List<Element> dependencies() throws Exception {
        NodeList sections = document().getDocumentElement().getChildNodes();
        return elements(sections).stream()
                .filter(section -> section.getTagName().equals("dependencies"))
                .flatMap(section -> elements(section.getChildNodes()).stream())
                .toList();
    }

    private static Document document() throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Path.of("pom.xml").toFile());
    }

    private static List<Element> elements(NodeList nodes) {
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .filter(Element.class::isInstance)
                .map(Element.class::cast)
                .toList();
    }

    private static String name(Element dependency) {
        return text(dependency, "groupId") + ":" + text(dependency, "artifactId");
    }

    private static String text(Element dependency, String tag) {
        return elements(dependency.getChildNodes()).stream()
                .filter(child -> child.getTagName().equals(tag))
                .map(Element::getTextContent)
                .findFirst()
                .orElse("");
    }
}

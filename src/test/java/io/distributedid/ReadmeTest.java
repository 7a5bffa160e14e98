package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands and programs in the README work. */
class ReadmeTest {

    private static final Page README = Page.of("README.md");

    @Test
    void itIsShort() {
        assertThat(README.text().lines().count()).isLessThanOrEqualTo(150);
    }

    /** The second is what .ci/run takes. */
    @Test
    void itsFirstCommandsRunTheQuickstartAndAllTests() {
        assertThat(README.blocks("sh")).startsWith("mvn -q -f integration-tests -DskipTests verify\n", "mvn verify\n");
    }

    /** Apart from the library, whose version a release changes here, and the next snapshot does not. */
    @Test
    void itsDependenciesAreThoseOfTheQuickstart() throws Exception {
        String pom = Files.readString(Path.of("integration-tests/examples/quickstart/pom.xml"));
        String versions = Pattern.compile("<([\\w.]+\\.version)>([^<]+)<")
                .matcher(pom)
                .results()
                .reduce(
                        pom,
                        (text, version) -> text.replace("${" + version.group(1) + "}", version.group(2)),
                        (a, b) -> a)
                .replaceAll("\\s", "");
        List<String> dependencies = Stream.of(Page.blocks(README.section("Get it"), "xml")
                        .get(0)
                        .replaceAll("\\s", "")
                        .split("(?<=</dependency>)"))
                .filter(dependency -> !dependency.contains("<groupId>io.distributedid<"))
                .toList();

        assertThat(dependencies)
                .hasSize(2)
                .allSatisfy(dependency -> assertThat(versions).contains(dependency));
    }

    @Test
    void itsFirstEntityGetsTheIdThatItSays(@TempDir Path folder) throws Exception {
        String section = README.section("A first entity");
        List<String> xml = Page.blocks(section, "xml");
        assertThat(xml).hasSize(1);

        SnippetProgram program = new SnippetProgram(folder);
        program.write("META-INF/persistence.xml", xml.get(0));
        program.compile(Page.blocks(section, "java"));

        String printed = program.run("photos.Photo").strip();
        assertThat(printed).isEqualTo("The photo has the id 1");
        assertThat(section).contains("`" + printed + "`");
    }
}

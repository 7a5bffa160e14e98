package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands and programs in the README work. */
class ReadmeTest {

    private static final Page README = Page.of("README.md");

    @Test
    void itIsShort() {
        assertThat(README.text().lines().count()).isLessThanOrEqualTo(200);
    }

    /** The second is what .ci/run takes. */
    @Test
    void itsFirstCommandsRunTheQuickstartAndAllTests() {
        assertThat(README.blocks("sh")).startsWith("mvn -q -f integration-tests -DskipTests verify\n", "mvn verify\n");
    }

    @Test
    void itsFirstEntityGetsTheIdThatItSays(@TempDir Path folder) throws Exception {
        String section = README.section("A first entity");
        List<String> xml = Page.blocks(section, "xml");
        assertThat(xml).hasSize(1);

        SnippetProgram program = new SnippetProgram(folder);
        program.write("META-INF/persistence.xml", xml.get(0));
        program.compile(Page.blocks(section, "java"));

        String printed = program.run("photos.Main").strip();
        assertThat(printed).isEqualTo("The photo has the id 1");
        assertThat(section).contains("`" + printed + "`");
    }
}

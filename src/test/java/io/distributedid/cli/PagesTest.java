package io.distributedid.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The program accepts the commands of all pages. {@link DocumentationTest} checks those of its own page. */
class PagesTest {

    private static final Pattern COMMAND =
            Pattern.compile("(?m)(?:^ *|`)(?:distributedid|java -jar distributedid-cli\\.jar) ([a-z-]+ [^`\\n]+)");

    @Test
    void everyCommandIsAllowed() throws IOException {
        List<String> commands;
        try (Stream<Path> pages = Files.list(Path.of("src/docs"))) {
            commands = pages.filter(page -> page.toString().endsWith(".md") && !page.endsWith("command-line.md"))
                    .sorted()
                    .flatMap(PagesTest::commands)
                    .distinct()
                    .toList();
        }

        assertThat(commands).hasSizeGreaterThan(5);
        for (String command : commands) {
            PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
            assertThatNoException()
                    .as(command)
                    .isThrownBy(() -> Main.commandLine(
                                    new SettingsOptions(Map.of()), nowhere, nowhere, question -> Optional.empty())
                            .parseArgs(command.split(" ")));
        }
    }

    private static Stream<String> commands(Path page) {
        try {
            // A command may go on in the next line.
            return COMMAND.matcher(Files.readString(page).replaceAll("\\\\\n *", ""))
                    .results()
                    .map(found -> found.group(1).replaceAll("<[^>]+>", "4711"));
        } catch (IOException e) {
            throw new AssertionError(page.toString(), e);
        }
    }
}

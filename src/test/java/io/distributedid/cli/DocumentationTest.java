package io.distributedid.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.SoftAssertions.assertSoftly;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The program prints what its documentation shows. */
class DocumentationTest {

    private static final String PROGRAM = "$ distributedid ";

    private static final Pattern VARIABLE = Pattern.compile("`([A-Z_]+_(?:PASSWORD|TOKEN))`");

    private static String documentation() throws IOException {
        return Files.readString(Path.of("src/docs/command-line.md"));
    }

    @Test
    void itHoldsAllCommandsAndOptions() throws IOException {
        String documentation = documentation();
        Map<String, CommandLine> commands = program().getSubcommands();

        assertThat(commands)
                .containsOnlyKeys("check", "ddl", "init", "decode", "next", "raise", "repair", "move", "change-layout");
        assertSoftly(all -> commands.forEach((name, command) -> {
            all.assertThat(documentation).contains("`" + name + "`");
            for (OptionSpec option : command.getCommandSpec().options()) {
                all.assertThat(documentation).as(name).contains(option.longestName());
            }
        }));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "check", "ddl", "init", "decode", "next", "raise", "repair", "move", "change-layout"})
    void everyCommandHasHelp(String command) {
        Run help = Run.of(
                Stream.of(command, "--help").filter(each -> !each.isEmpty()).toArray(String[]::new));

        assertThat(help.exitCode()).isZero();
        assertThat(help.err()).isEmpty();
        assertThat(help.out())
                .startsWith(("Usage: distributedid " + command).strip())
                .contains("--config=FILE");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandOfItsSessionIsAllowed(String command) {
        assertThat(program().parseArgs(command.split(" ")).hasSubcommand()).isTrue();
    }

    static List<String> commands() throws IOException {
        return documentation()
                .lines()
                .filter(line -> line.startsWith(PROGRAM))
                .map(line -> line.substring(PROGRAM.length()))
                .toList();
    }

    @Test
    void whatNeedsNoServerIsAsShown() throws IOException {
        for (String command : commands()) {
            if (command.contains("distributedid.backend=snowflake")) {
                Run run = Run.of(command.split(" "));
                assertThat(run.exitCode()).isZero();
                assertThat(documentation()).contains(PROGRAM + command + "\n" + run.out());
            }
        }
    }

    @Test
    void theEnvironmentVariablesAreThoseThatAreRead() throws IOException {
        String secret = "top-secret";
        List<String> variables = VARIABLE.matcher(documentation())
                .results()
                .map(row -> row.group(1))
                .toList();

        assertThat(variables)
                .containsExactlyInAnyOrderElementsOf(SettingsOptions.PASSWORDS.stream()
                        .map(SettingsOptions::variable)
                        .toList());
        for (String variable : variables) {
            SettingsOptions options = new SettingsOptions(Map.of(variable, secret));
            assertThat(List.copyOf(options.read().values().values())).containsExactly(secret);
            assertThat(options.secrets().masked(secret)).isEqualTo("***");
        }
    }

    private static CommandLine program() {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return Main.commandLine(new SettingsOptions(Map.of()), nowhere, nowhere, question -> Optional.empty());
    }
}

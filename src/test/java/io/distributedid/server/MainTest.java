package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program: options, settings and errors. */
class MainTest {

    private record Run(int exitCode, String out, String err, boolean hasStarted) {}

    @TempDir
    Path folder;

    /** Runs the program, which stops as soon as it serves. */
    private static Run run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        AtomicBoolean hasStarted = new AtomicBoolean();
        int exitCode = Main.run(
                new PrintWriter(out),
                new PrintWriter(err),
                Map.of(),
                server -> {
                    hasStarted.set(true);
                    server.close();
                },
                arguments);
        return new Run(exitCode, out.toString(), err.toString(), hasStarted.get());
    }

    private String file(String... lines) throws IOException {
        return Files.writeString(folder.resolve("ids.properties"), String.join("\n", lines))
                .toString();
    }

    @Test
    void itServesWhatTheFileSays() throws IOException {
        Run run = run(
                "--config",
                file(
                        "distributedid.backend=memory",
                        "distributedid.server.port=0",
                        "distributedid.server.sequences=main_one, main_two"));

        assertThat(run.err()).isEmpty();
        assertThat(run.hasStarted()).isTrue();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .matches("(?s)The server listens at http://127\\.0\\.0\\.1:\\d+ and issues ids of main_one,"
                        + " main_two\\.\\RTry: curl -X POST"
                        + " http://127\\.0\\.0\\.1:\\d+/v1/sequences/main_one/ids\\RStatus page:"
                        + " http://127\\.0\\.0\\.1:\\d+/\\R");
    }

    @Test
    void theRequestToTryHasATokenIfTheServerNeedsOne() throws IOException {
        Run run = run(
                "--config",
                file(
                        "distributedid.backend=memory",
                        "distributedid.server.port=0",
                        "distributedid.server.sequences=main_token",
                        "distributedid.server.token.web.hash=" + Access.hash("secret"),
                        "distributedid.server.token.web.sequences=*"));

        assertThat(run.out()).contains("/v1/sequences/main_token/ids -H 'Authorization: Bearer TOKEN'");
    }

    @Test
    void theDemonstrationNeedsNoSettings() {
        Run run = run(
                "--demo",
                "-Ddistributedid.server.port=0",
                "-Ddistributedid.sequence_table.servers=jdbc:h2:" + folder.resolve("demo"));

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("issues ids of demo.");
    }

    @Test
    void withoutSettingsItSaysWhatToDo() {
        assertThat(run())
                .isEqualTo(new Run(
                        2,
                        "",
                        "The server needs settings: --config=FILE. To try it without any, start it with --demo\n",
                        false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "distributedid.server.prt=1 | There is no such setting: distributedid.server.prt. Did you mean"
                        + " distributedid.server.port?",
                "distributedid.server.max_idz=1 | Did you mean distributedid.server.max_ids?",
                "distributedid.server.max_ids=0 | distributedid.server.max_ids=0, allowed: a number from 1 to 100000",
                "distributedid.blok.min=1 | Did you mean distributedid.block.min?",
                "distributedid.server.host=0.0.0.0 | distributedid.server.host=0.0.0.0, allowed: 127.0.0.1, ::1 or"
                        + " localhost, unless there are tokens (distributedid.server.token.NAME.hash) and TLS"
                        + " (distributedid.server.tls.certificate). Anyone who reaches this server could take ids, or"
                        + " read tokens. If only trusted programs reach it, add --insecure",
                "distributedid.server.host=no.such.host.invalid | distributedid.server.host=no.such.host.invalid,"
                        + " allowed: a name or an address of this machine",
                "distributedid.seq.main_ome.block.min=1 | There are settings for a sequence that is not served:"
                        + " distributedid.seq.main_ome. Name it in distributedid.server.sequences too, or in"
                        + " distributedid.server.keyed for numbers per key, or remove its settings. Did you mean"
                        + " main_one?",
                "distributedid.server.sequences=, | distributedid.server.sequences=,, allowed: names of sequences",
                "distributedid.server.sequences=1a | A sequence's name must be a letter",
                "distributedid.shard.from=caller | distributedid.shard.from"
            })
    void whatIsNotAllowedFailsTheStart(String line, String message) throws IOException {
        Run run = run(
                "--config",
                file(
                        "distributedid.backend=memory",
                        "distributedid.server.port=0",
                        "distributedid.server.sequences=main_one",
                        line));

        assertThat(run.exitCode()).as(run.toString()).isEqualTo(2);
        assertThat(run.hasStarted()).isFalse();
        assertThat(run.err()).contains(message).hasLineCount(1);
    }

    @Test
    void aSequenceMustBeNamed() throws IOException {
        Run run = run("--config", file("distributedid.backend=memory"));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .isEqualTo(
                        "A setting is missing: distributedid.server.sequences, allowed: names of sequences separated by"
                                + " commas, as in photos, users. The server issues ids of these sequences only\n");
    }

    @Test
    void aPortInUseIsNamed() {
        try (RunningServer other = RunningServer.ofMemory("main_port")) {
            Run run = run("--demo", "-Ddistributedid.backend=memory", "-Ddistributedid.server.port=" + other.port());

            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err())
                    .startsWith(
                            "The server can't listen: distributedid.server.host=127.0.0.1 distributedid.server.port="
                                    + other.port() + ". Does another program use the port? Choose another port, or 0"
                                    + " for any (");
        }
    }

    @Test
    void othersReachItOnlyOnRequest() throws IOException {
        Run run = run(
                "--insecure",
                "--config",
                file(
                        "distributedid.backend=memory",
                        "distributedid.server.host=0.0.0.0",
                        "distributedid.server.port=0",
                        "distributedid.server.sequences=main_one"));

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("http://0.0.0.0:");
    }

    @Test
    void aNewTokenIsPrintedWithItsSetting() throws IOException {
        Run run = run("--new-token", "web");

        assertThat(run.exitCode()).isZero();
        List<String> lines = run.out().lines().toList();
        String token = lines.get(0).replaceFirst("The caller sends: +Authorization: Bearer ", "");
        assertThat(lines.get(1))
                .isEqualTo("The server's file:  distributedid.server.token.web.hash=" + Access.hash(token));
        assertThat(lines.get(2).strip()).isEqualTo("distributedid.server.token.web.sequences=*");
        assertThat(run("--new-token", "a b").err())
                .isEqualTo("A token's name must be a letter, then up to 49 letters, digits, '_' or '-':"
                        + " --new-token=a b\n");
    }
}

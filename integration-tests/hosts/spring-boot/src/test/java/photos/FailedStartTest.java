package photos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** What someone reads whose application does not start. */
@ExtendWith(OutputCaptureExtension.class)
class FailedStartTest {

    private static final String SETTINGS =
            "All settings: https://github.com/distributedid/distributedid/blob/main/src/docs/settings.md";

    @Test
    void aMissingBackend(CapturedOutput output) {
        assertFailure(
                output,
                "A setting is missing: distributedid.backend",
                "Allowed: memory, next_id, redis, remote, sequence_table, snowflake, ticket, or the class name of a"
                        + " BackendProvider.",
                List.of(
                        "It says where ids come from (the settings).",
                        "Tests need no server with distributedid.backend=memory"),
                "--distributedid.backend=");
    }

    @Test
    void aMisspeltSetting(CapturedOutput output) {
        assertFailure(
                output,
                "There is no such setting: distributedid.ticket.server",
                "Did you mean distributedid.ticket.servers?",
                List.of(),
                "--distributedid.ticket.server=tickets1");
    }

    @Test
    void aServerThatIsNoBean(CapturedOutput output) {
        assertFailure(
                output,
                "A setting names a bean that is not a DataSource: distributedid.ticket.servers=tickets3",
                "Allowed: the beans [dataSource, tickets1, tickets2], JDBC URLs (jdbc:...) or JNDI names (java:...).",
                List.of("Tests need no server with distributedid.backend=memory"),
                "--distributedid.backend=ticket",
                "--distributedid.ticket.servers=tickets1, tickets3");
    }

    @Test
    void aWorkerNumberThatAnotherContextHas(CapturedOutput output) {
        String[] arguments = {
            "--distributedid.seq.comments.backend=snowflake", "--spring.datasource.url=jdbc:h2:mem:one"
        };
        try (ConfigurableApplicationContext first = run(arguments)) {
            assertThat(first.isActive()).isTrue();

            assertFailure(
                    output,
                    "photos.Comment.id (seq=comments): Two generators in one process must not have the same worker"
                            + " number: distributedid.snowflake.worker=1",
                    "Give each persistence unit its own number; in tests, where several contexts stay open, set"
                            + " distributedid.backend=memory",
                    List.of(),
                    arguments);
        }
    }

    @Test
    void aServerThatDoesNotAnswer(CapturedOutput output) {
        catchThrowable(() -> run(
                "--distributedid.backend=ticket",
                "--distributedid.ticket.servers=jdbc:h2:tcp://127.0.0.1:1/mem:tickets",
                "--distributedid.block.timeout=100ms"));

        List<String> report = report(output.getAll());
        assertThat(report)
                .hasSizeLessThanOrEqualTo(15)
                .endsWith(
                        "Action:",
                        "",
                        "Check that the server runs, and its host and port in distributedid.ticket.servers.",
                        "See https://github.com/distributedid/distributedid/blob/main/src/docs/on-call.md#no-server",
                        SETTINGS);
        assertThat(report.get(5))
                .startsWith("No server gives ids; jdbc:h2:tcp://127.0.0.1:1/mem:tickets said: ")
                .contains("Connection refused");
    }

    /** As the application runs in production: nothing that the process writes is a stack trace. */
    @Test
    void aProcessEndsWithoutAStackTrace() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PhotoApplication.class.getName(),
                        "--server.port=0",
                        "--distributedid.seq.comments.backend=snowflake",
                        "--distributedid.seq.comments.snowflake.worker=1024")
                .redirectErrorStream(true)
                .start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();

        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(lines).noneMatch(line -> line.startsWith("\tat ") || line.startsWith("Caused by"));
        assertThat(report(String.join("\n", lines)))
                .containsExactly(
                        "APPLICATION FAILED TO START",
                        "***************************",
                        "",
                        "Description:",
                        "",
                        "photos.Comment.id (seq=comments): A setting has a value that is not allowed:"
                                + " distributedid.seq.comments.snowflake.worker=1024",
                        "",
                        "Action:",
                        "",
                        "Allowed: a number from 0 to 1023",
                        SETTINGS);
        assertThat(lines.stream().filter(line -> line.contains(" ERROR ")))
                .as("the line for those who read no report")
                .anyMatch(line -> line.contains("The SessionFactory is not created: photos.Comment.id (seq=comments)"));
    }

    private static ConfigurableApplicationContext run(String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.add("--server.port=0");
        return SpringApplication.run(PhotoApplication.class, all.toArray(String[]::new));
    }

    private static void assertFailure(
            CapturedOutput output, String description, String action, List<String> more, String... arguments) {
        assertThat(catchThrowable(() -> run(arguments))).isNotNull();
        List<String> expected = new ArrayList<>(List.of(
                "APPLICATION FAILED TO START",
                "***************************",
                "",
                "Description:",
                "",
                description,
                "",
                "Action:",
                "",
                action));
        expected.addAll(more);
        expected.add(SETTINGS);
        assertThat(report(output.getAll())).containsExactlyElementsOf(expected).hasSizeLessThanOrEqualTo(15);
        assertThat(output.getAll().lines()).noneMatch(line -> line.startsWith("\tat "));
    }

    /** Spring's last report, up to the next line of the log. */
    private static List<String> report(String output) {
        int begin = output.lastIndexOf("APPLICATION FAILED TO START");
        assertThat(begin).as(output).isNotNegative();
        List<String> lines = output.substring(begin)
                .lines()
                .takeWhile(line -> !line.matches("\\d{4}-\\d{2}-.*"))
                .toList();
        int end = lines.size();
        while (lines.get(end - 1).isBlank()) {
            end--;
        }
        return lines.subList(0, end);
    }
}

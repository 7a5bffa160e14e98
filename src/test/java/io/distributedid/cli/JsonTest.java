package io.distributedid.cli;

import static io.distributedid.cli.Databases.arguments;
import static io.distributedid.cli.Databases.execute;
import static io.distributedid.cli.Databases.urls;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.service.Json;
import io.distributedid.testkit.H2Servers;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What scripts read. */
class JsonTest {

    private static final String[] ROWS = {
        "--json", "-Ddistributedid.backend=sequence_table", "-Ddistributedid.sequence_table.servers=" + urls("cli_json")
    };

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("cli_json");
    }

    private static void begin() {
        Run.of(
                "next",
                "photos",
                "-Ddistributedid.backend=sequence_table",
                "-Ddistributedid.create_tables=true",
                "-Ddistributedid.block.max=1",
                "-Ddistributedid.sequence_table.servers=" + urls("cli_json"));
    }

    private static @Nullable Object read(Run run) {
        return Json.read(run.out().getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void checkSaysTheLastIdAndTheNumberOfFailures() throws SQLException {
        begin();
        Run good = Run.of(arguments(ROWS, "check", "--seq=photos"));
        execute("cli_json", "DROP TABLE sequence");
        Run bad = Run.of(arguments(ROWS, "check", "--seq=photos"));

        assertThat(good.exitCode()).isZero();
        assertThat(good.err()).isEmpty();
        assertThat(good.out())
                .startsWith("{\"ok\":4,\"failed\":0,\"unknown\":0,\"results\":[{\"sequence\":\"photos\",")
                .contains("{\"sequence\":\"photos\",\"check\":\"counter\",\"server\":\"jdbc:h2:mem:cli_json\","
                        + "\"result\":\"ok\",\"detail\":\"id=1\",\"lastId\":\"1\"}");
        assertThat(read(good)).isNotNull();
        assertThat(bad.exitCode()).isEqualTo(1);
        assertThat(bad.out()).contains("\"failed\":1,").contains("\"result\":\"failed\"");
        assertThat(read(bad)).isNotNull();
    }

    @Test
    void aCommandThatRaisesSaysWhatItFoundAndDid() {
        begin();

        Run dryRun = Run.of(arguments(ROWS, "raise", "photos", "--above=5000", "--dry-run"));
        Run raised = Run.of(arguments(ROWS, "raise", "photos", "--above=5000", "--yes"));
        Run repaired = Run.of(arguments(ROWS, "repair", "photos", "--dry-run"));

        String lastIds =
                "\"lastIds\":{\"jdbc:h2:mem:cli_json\":\"1\"},\"ok\":2,\"failed\":0,\"unknown\":0,\"results\":[{";
        assertThat(dryRun.out()).startsWith("{\"sequence\":\"photos\",\"done\":false,\"above\":\"5000\"," + lastIds);
        assertThat(dryRun.err())
                .startsWith("SEQUENCE  CHECK")
                .endsWith("Counters of photos that are lower are raised above 5000 for good.\n");
        assertThat(raised.out()).startsWith("{\"sequence\":\"photos\",\"done\":true,\"above\":\"5000\"," + lastIds);
        assertThat(repaired.out())
                .startsWith("{\"sequence\":\"photos\",\"done\":false,\"above\":")
                .contains("\"failed\":0,\"unknown\":0,\"results\":[]");
        assertThat(read(repaired)).isNotNull();
    }

    @Test
    void soItDoesWhenACheckFails() throws SQLException {
        begin();
        execute("cli_json", "CREATE TABLE photo (id BIGINT AUTO_INCREMENT PRIMARY KEY)");
        String table = "--table=photo --column=id --database=" + urls("cli_json");
        String[] time = {"--json", "-Ddistributedid.backend=snowflake", "-Ddistributedid.snowflake.worker=7"};

        Run numbered = Run.of(arguments(ROWS, ("raise photos --yes " + table).split(" ")));
        Run holdsTime = Run.of(arguments(time, ("raise photos " + table).split(" ")));
        execute("cli_json", "DROP TABLE sequence");
        Run broken = Run.of(arguments(ROWS, "raise", "photos", "--above=5000", "--yes"));

        assertThat(numbered.out())
                .startsWith("{\"sequence\":\"photos\",\"done\":true,\"above\":\"0\",")
                .contains("\"check\":\"id column\",", "\"failed\":1,");
        assertThat(holdsTime.out())
                .startsWith("{\"sequence\":\"photos\",\"done\":false,\"above\":\"0\",\"lastIds\":{},")
                .contains("\"check\":\"existing ids\",", "\"check\":\"id column\",");
        assertThat(broken.out())
                .startsWith("{\"sequence\":\"photos\",\"done\":false,\"above\":\"5000\",")
                .contains("\"failed\":1,");
        assertThat(List.of(numbered, holdsTime, broken)).allSatisfy(run -> {
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(read(run)).isNotNull();
        });
    }

    @Test
    void aNewPlaceThatIsMovedIsSaidToo() {
        begin();

        Run ended = Run.of(arguments(ROWS, "move", "photos", "--end", "--yes"));

        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(ended.out()).startsWith("{\"sequence\":\"photos\",\"done\":true,\"above\":\"");
        assertThat(read(ended)).isNotNull();
    }

    @Test
    void anErrorIsTextOnStandardError() {
        Run run = Run.of("decode", "x1", "--json", "-Ddistributedid.backend=snowflake");

        assertThat(run)
                .isEqualTo(new Run(2, "", "An id must be a whole number: ID=x1, allowed: 1 to 9223372036854775807\n"));
    }

    @Test
    void whatIsNoPlainTextIsEscaped() {
        Run run = Run.of(
                "check",
                "--json",
                "--seq=a\tb,photos",
                "-Ddistributedid.backend=ticket",
                "-Ddistributedid.ticket.servers=jdbc:none://t1/x");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("{\"sequence\":\"a\\u0009b\",", "java -cp \\\"");
        assertThat(read(run)).isNotNull();
    }
}

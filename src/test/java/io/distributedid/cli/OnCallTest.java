package io.distributedid.cli;

import static io.distributedid.cli.Databases.execute;
import static io.distributedid.cli.Databases.ids;
import static io.distributedid.cli.Databases.url;
import static io.distributedid.cli.Databases.urls;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdAdmin;
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.H2Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the page for somebody on call tells of counters: each trouble is made, the message is the one of the row, its
 * command is run as it is printed, then ids come, and none comes twice.
 */
@Tag("slow")
class OnCallTest {

    private static final Path PAGE = Path.of("src/docs/on-call.md");

    private static final String[] DATABASES = {"call_a", "call_b", "call_c", "call_d", "call_app"};

    @TempDir
    Path folder;

    private final List<Long> given = new ArrayList<>();

    private static void empty(String database) throws SQLException {
        execute(database, "DROP ALL OBJECTS");
        execute(
                database,
                IdAdmin.ddl(Map.of("distributedid.backend", "sequence_table"), "h2")
                        .toArray(String[]::new));
    }

    @BeforeEach
    void create() throws SQLException {
        for (String database : DATABASES) {
            empty(database);
        }
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop(DATABASES);
    }

    /** A row of the page. */
    private record Row(String message, String command) {

        static Row of(String anchor) throws IOException {
            Matcher row = Pattern.compile("(?m)^\\| <a id=\"" + anchor
                            + "\"></a>(?:<a [^>]*></a>)*(?:`([^`]*)`)?[^|]*\\|[^|]*\\| `([^`]*)` \\|")
                    .matcher(Files.readString(PAGE));
            assertThat(row.find()).as("the row of %s", anchor).isTrue();
            return new Row(row.group(1) == null ? "" : row.group(1), row.group(2));
        }
    }

    @Test
    void aCounterThatWentBack() throws Exception {
        Path one = servers("call_a");
        take(one);
        execute("call_a", "UPDATE sequence SET id = 1");

        end("counter-lost-alone", one);
    }

    @Test
    void aServerThatWasEmptied() throws Exception {
        Path two = servers("call_a", "call_b");
        take(two);
        empty("call_b");

        end("counter-header-lost", two);
    }

    @Test
    void aCounterFarAheadWhoseIdIsInUse() throws Exception {
        Path two = servers("call_a", "call_b");
        take(two);
        execute("call_a", "UPDATE sequence SET id = 20000000001");
        given.add(20_000_000_001L);

        end("counter-too-far", two);
    }

    @Test
    void anEmptyServerBesideOneThatOthersHaveUsed() throws Exception {
        execute("call_a", "INSERT INTO sequence (name, id) VALUES ('photos', 1000)");
        given.add(1_000L);

        end("counter-used", servers("call_a", "call_b"));
    }

    @Test
    void anotherList() throws Exception {
        take(old(servers("call_a")));

        end("counter-numbering", servers("call_a", "call_b"));
    }

    @Test
    void aServerThatIsLostForGood() throws Exception {
        take(servers("call_a", "call_b", "call_c"));
        H2Servers.drop("call_c");

        end("lost-server", servers("call_a", "call_b"));
    }

    @Test
    void serversOfTwoSpacesThatGaveAsManyIds() throws Exception {
        take(servers("call_c", "call_d"));
        given.clear();
        take(servers("call_a", "call_b"));

        end("counter-token", servers("call_a", "call_d"));
    }

    private void end(String anchor, Path settings) throws IOException {
        Row row = Row.of(anchor);
        Run check = Run.of("check", "--seq=photos", "--config", settings.toString());
        assertThat(check.exitCode()).isNotZero();
        if (!row.message().isEmpty()) {
            assertThat(check.out() + check.err()).contains(row.message(), Pages.onCall(anchor));
        }

        Run run = Run.of(typed(row.command(), settings));

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        take(settings);
        assertThat(given).doesNotHaveDuplicates();
    }

    /** The command as an operator types it, who agrees to what it asks. */
    private String[] typed(String command, Path settings) throws IOException {
        String all = command.contains("--config") ? command : command + " --config new.properties";
        return (all.replaceFirst("^distributedid ", "")
                                .replaceAll("<largest>|<id>", Long.toString(largest()))
                                .replace("<URL>", url("call_app"))
                                .replace(
                                        "old.properties",
                                        folder.resolve("old.properties").toString())
                                .replace("new.properties", settings.toString())
                        + " --yes")
                .split(" ");
    }

    private long largest() {
        return given.stream().mapToLong(Long::longValue).max().orElseThrow();
    }

    private void take(Path settings) {
        given.addAll(ids(Run.of("next", "photos", "--count=500", "--config", settings.toString())));
    }

    private Path servers(String... databases) throws IOException {
        Path file = folder.resolve(String.join("-", databases) + ".properties");
        return Files.writeString(
                file,
                "distributedid.backend=sequence_table\ndistributedid.block.max=7\n"
                        + "distributedid.sequence_table.servers=" + urls(databases) + "\n");
    }

    private Path old(Path settings) throws IOException {
        return Files.copy(settings, folder.resolve("old.properties"));
    }
}

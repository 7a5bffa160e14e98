package io.distributedid.cli;

import static io.distributedid.cli.Databases.arguments;
import static io.distributedid.cli.Databases.execute;
import static io.distributedid.cli.Databases.ids;
import static io.distributedid.cli.Databases.number;
import static io.distributedid.cli.Databases.url;
import static io.distributedid.cli.Databases.urls;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdAdmin;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class MoveCommandTest {

    private static final String TABLES = "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'PUBLIC'";

    @TempDir
    private Path folder;

    private final List<Long> given = new ArrayList<>();

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("cli_m1", "cli_m2", "cli_m3", "cli_app");
    }

    private static String[] settings(String servers) {
        return new String[] {
            "-Ddistributedid.backend=sequence_table",
            "-Ddistributedid.create_tables=true",
            "-Ddistributedid.block.max=7",
            "-Ddistributedid.sequence_table.servers=" + servers
        };
    }

    private void next(String... databases) {
        given.addAll(ids(Run.of(arguments(settings(urls(databases)), "next", "photos", "--count=300"))));
        assertThat(given).doesNotHaveDuplicates();
    }

    private static Run next1(String... databases) {
        return Run.of(arguments(settings(urls(databases)), "next", "photos"));
    }

    private String file(String name, String servers, String... more) throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                "distributedid.backend=sequence_table",
                "distributedid.create_tables=true",
                "distributedid.sequence_table.servers=" + servers));
        lines.addAll(List.of(more));
        return Files.write(folder.resolve(name), lines).toString();
    }

    private String[] move(String from, String to, String... more) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "move", "photos", "--from=" + file("old.properties", from), "--config=" + file("new.properties", to)));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    @Test
    void aThirdServerIsAdded() throws Exception {
        next("cli_m1", "cli_m2");

        Run run = Run.of(move(urls("cli_m1", "cli_m2"), urls("cli_m1", "cli_m2", "cli_m3"), "--yes"));

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .matches("SERVER +LAST ID\njdbc:h2:mem:cli_m1 +\\d+\njdbc:h2:mem:cli_m2 +\\d+\nThis move ends the old"
                        + " place for all sequences of its table: clients with its settings get no more ids. Counters"
                        + " of photos may be raised from \\d+ to above \\d+ for good; the ids between are lost.\nThe"
                        + " ids of photos go on above \\d+. So do all others of its table. Start the applications with"
                        + " the new settings.\n");
        assertThat(next1("cli_m1", "cli_m2").exitCode()).isEqualTo(2);
        next("cli_m1", "cli_m2", "cli_m3");
    }

    @Test
    void theDatabasesOfTheEntitiesLearnTheNewPlace() throws Exception {
        next("cli_m1");
        assertThat(Run.of(move(urls("cli_m1"), urls("cli_m3"), "--yes", "--database=" + url("cli_app")))
                        .exitCode())
                .isZero();
        String before = token();

        Run run = Run.of(move(urls("cli_m3"), urls("cli_m2"), "--yes", "--database=" + url("cli_app")));

        assertThat(run.err()).isEmpty();
        assertThat(token()).isNotEqualTo(before);
        assertThat(Run.of(arguments(settings(urls("cli_m2")), "check", "--seq=photos"))
                        .out())
                .contains("token=" + token());
        next("cli_m2");
    }

    private static String token() throws SQLException {
        return DatabaseRows.rows(
                        url("cli_app"), "SELECT SUBSTRING(text, 7) FROM distributedid WHERE name = '@place/photos'")
                .get(0);
    }

    @Test
    void aDryRunChangesNothing() throws Exception {
        next("cli_m1");
        for (String ddl : IdAdmin.ddl(Map.of("distributedid.backend", "sequence_table"), "h2")) {
            execute("cli_m2", ddl);
        }
        long last = number("cli_m1", "SELECT id FROM sequence");

        Run run = Run.of(move(urls("cli_m1"), urls("cli_m1", "cli_m2"), "--dry-run"));

        assertThat(run.out()).endsWith("Dry run: nothing was changed.\n");
        assertThat(number("cli_m1", "SELECT id FROM sequence")).isEqualTo(last);
        assertThat(number("cli_m1", "SELECT COUNT(*) FROM distributedid WHERE state = 'OPEN'"))
                .isEqualTo(2);
        assertThat(number("cli_m2", "SELECT COUNT(*) FROM distributedid WHERE name <> '@store'"))
                .isZero();
        next("cli_m1");
    }

    @Test
    void theOperatorIsAsked() throws Exception {
        next("cli_m1");

        Run run = Run.of(move(urls("cli_m1"), url("cli_m3")));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith(
                        "This move ends the old place for all sequences of its table: clients with its settings get no"
                                + " more ids. Counters of photos may be raised from ")
                .contains("there is no terminal to ask on. Run the command in a terminal, or add --yes");
        next("cli_m1");
    }

    @Test
    void listsThatAreNotThoseOfTheTableAreRefused() throws Exception {
        next("cli_m1", "cli_m2");

        Run run = Run.of(move(urls("cli_m2", "cli_m1"), url("cli_m3"), "--yes"));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("table=sequence name=photos on jdbc:h2:mem:cli_m");
        next("cli_m1", "cli_m2");
    }

    @Test
    void aPlaceThatAClientHasOpenedIsRefused() throws Exception {
        next("cli_m1");
        assertThat(next1("cli_m2").exitCode()).isZero();

        Run run = Run.of(move(urls("cli_m1"), urls("cli_m2"), "--yes"));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("The target is in use").contains("choose an unused table");
        next("cli_m1");
    }

    @Test
    void aServerThatDoesNotAnswerLeavesAllAsItWas() throws Exception {
        next("cli_m1");
        H2Servers dead = H2Servers.start();
        String gone = dead.url("gone");
        dead.close();

        Run run = Run.of(move(urls("cli_m1"), gone, "--yes"));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("All servers must answer: ")
                .contains(", server=jdbc:h2:tcp:", ". Repeat the call when they do");
        next("cli_m1");
    }

    @Test
    void aListThatHasAllItsCountersIsNotLost() throws Exception {
        next("cli_m1", "cli_m2");

        Run run = Run.of(arguments(settings(urls("cli_m1", "cli_m2")), "move", "photos", "--lost", "--above=300"));

        assertThat(run.err()).startsWith("All servers of the list have their counters: ");
        next("cli_m1", "cli_m2");
    }

    private static void assertMovedTables(String[] move) {
        Run run = Run.of(move);
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
    }

    private void createTables(long id) throws SQLException {
        for (String database : List.of("cli_m1", "cli_m2")) {
            execute(
                    database,
                    "CREATE TABLE IF NOT EXISTS sequence (name VARCHAR(100) PRIMARY KEY, id BIGINT NOT NULL)");
        }
        execute("cli_m1", "INSERT INTO sequence (name, id) VALUES ('photos', " + id + ")");
        assertThat(next1("cli_m1", "cli_m2").err())
                .contains(
                        "To divide it, start one client with the old list once, which takes over the counter, and run:"
                                + " distributedid move photos --from OLD.properties; if the list is not new, or the"
                                + " empty server is a replacement: distributedid repair photos --above ID, the largest"
                                + " id in use");
    }

    /** The table has no ledger yet. */
    @Test
    void aTableOfOthersIsDividedAsTheRefusalSays() throws Exception {
        createTables(500);

        next("cli_m1");
        assertMovedTables(move(urls("cli_m1"), urls("cli_m1", "cli_m2"), "--yes"));

        next("cli_m1", "cli_m2");
        assertThat(given).allMatch(id -> id > 500);
    }

    private String tickets(String file, int increment, String table, String... databases) throws IOException {
        return Files.write(
                        folder.resolve(file),
                        List.of(
                                "distributedid.backend=ticket",
                                "distributedid.create_tables=true",
                                "distributedid.block.max=7",
                                "distributedid.ticket.numbering=client",
                                "distributedid.ticket.increment=" + increment,
                                "distributedid.ticket.table=" + table,
                                "distributedid.ticket.servers=" + urls(databases)))
                .toString();
    }

    private void takeTickets(String config) {
        given.addAll(ids(Run.of("next", "photos", "--count=300", "--config=" + config)));
        assertThat(given).doesNotHaveDuplicates();
    }

    private static void assertMoved(String... move) {
        Run run = Run.of(arguments(move, "move", "photos", "--yes"));
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
    }

    /** With room in the increment, and without. */
    @ParameterizedTest
    @ValueSource(ints = {10, 2})
    void aThirdTicketServerJoinsAndTheTableGoesElsewhere(int increment) throws Exception {
        String two = tickets("two.properties", increment, "Tickets64", "cli_m1", "cli_m2");
        String three = tickets("three.properties", Math.max(3, increment), "Tickets64", "cli_m1", "cli_m2", "cli_m3");
        String other = tickets("other.properties", 1, "Other", "cli_m3");
        takeTickets(two);

        assertMoved("--from=" + two, "--config=" + three);

        if (increment > 2) {
            // No number has changed its server.
            takeTickets(two);
        } else {
            assertThat(Run.of("next", "photos", "--config=" + two).exitCode()).isEqualTo(2);
        }
        takeTickets(three);
        assertMoved("--from=" + three, "--config=" + other);
        assertThat(Run.of("next", "photos", "--config=" + three).err())
                .startsWith("The counters were moved away: table=Tickets64 on jdbc:h2:mem:cli_m1");
        takeTickets(other);
    }

    @Test
    void aTicketServerThatIsLostForGoodIsLeftOut() throws Exception {
        String three = tickets("three.properties", 3, "Tickets64", "cli_m1", "cli_m2", "cli_m3");
        String two = tickets("two.properties", 2, "Tickets64", "cli_m1", "cli_m2");
        takeTickets(three);
        execute("cli_m3", "DROP ALL OBJECTS");
        long largest = given.stream().mapToLong(Long::longValue).max().orElseThrow();

        assertMoved("--lost", "--above=" + largest, "--config=" + two);

        takeTickets(two);
        assertThat(given.get(given.size() - 1)).isGreaterThan(largest);
    }

    @Test
    void whatMakesNoSenseIsRefused() throws Exception {
        String allowed = " are mutually exclusive (specify only one)";
        assertThat(Run.of("move", "photos").err())
                .startsWith("Error: Missing required argument (specify one of these): (--from=FILE [--from=FILE]..."
                        + " | --lost | --new-space | --end)");
        assertThat(Run.of("move", "photos", "--lost", "--end").err()).contains(allowed);
        assertThat(Run.of(arguments(settings(urls("cli_m1")), "move", "photos", "--lost"))
                        .err())
                .startsWith("A move with --lost or --new-space must name an id: photos --above=0");
        assertThat(Run.of(move(urls("cli_m1"), urls("cli_m2"), "--lost", "--above=1"))
                        .err())
                .contains(allowed);
        assertThat(Run.of(move(urls("cli_m1"), urls("cli_m2"), "--above=-1")).err())
                .startsWith("Ids are positive: --above=-1");
        assertThat(Run.of(
                                "move",
                                "photos",
                                "--from="
                                        + file(
                                                "old.properties",
                                                url("cli_m1"),
                                                "jakarta.persistence.jdbc.url=jdbc:x:1"),
                                "--config=" + file("new.properties", url("cli_m2")))
                        .err())
                .startsWith("The settings of --from and --config must name the same database of the application:"
                        + " --from=");
        String known = file("known.properties", url("cli_m2"), "jakarta.persistence.jdbc.url=" + url("cli_app"));
        for (String what : new String[] {"--from=" + known, "--new-space"}) {
            assertThat(Run.of("move", "photos", what, "--yes", "--config=" + known))
                    .isEqualTo(new Run(2, "", """
                    Each database of the entities must learn of the move: --database=none, allowed:\
                     --database jdbc:h2:mem:cli_app, and those of all shards
                    """));
        }
        assertThat(number("cli_m1", TABLES)).isZero();
    }

    @Test
    void countersDoNotMoveToAPlaceThatNobodyCanRemember() throws Exception {
        next("cli_m1");

        Run run = Run.of(
                "move",
                "photos",
                "--yes",
                "--from=" + file("old.properties", url("cli_m1")),
                "-Ddistributedid.backend=memory");

        assertThat(run.err())
                .contains("The new place of the ids has no token that databases could remember: seq=photos");
        next("cli_m1");
    }

    @Test
    void thePasswordComesFromTheEnvironmentAndIsNotPrinted() throws Exception {
        next("cli_m1");
        execute("cli_m1", "CREATE USER ids PASSWORD 'top-secret' ADMIN");
        execute("cli_m2", "CREATE USER ids PASSWORD 'top-secret' ADMIN");
        String user = "distributedid.sequence_table.user=ids";
        String[] move = {
            "move",
            "photos",
            "--yes",
            "--from=" + file("old.properties", url("cli_m1"), user),
            "--config=" + file("new.properties", url("cli_m2"), user)
        };

        Run wrong = Run.with(Map.of("DISTRIBUTEDID_SEQUENCE_TABLE_PASSWORD", "not-so-secret"), move);
        Run right = Run.with(Map.of("DISTRIBUTEDID_SEQUENCE_TABLE_PASSWORD", "top-secret"), move);

        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(wrong.err()).contains("Wrong user name").doesNotContain("secret");
        assertThat(right.exitCode()).isZero();
        next("cli_m2");
    }
}

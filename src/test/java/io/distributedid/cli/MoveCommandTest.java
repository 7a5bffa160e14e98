package io.distributedid.cli;

import static io.distributedid.cli.Databases.arguments;
import static io.distributedid.cli.Databases.execute;
import static io.distributedid.cli.Databases.ids;
import static io.distributedid.cli.Databases.number;
import static io.distributedid.cli.Databases.url;
import static io.distributedid.cli.Databases.urls;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MoveCommandTest {

    private final List<Long> given = new ArrayList<>();

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("cli_m1", "cli_m2", "cli_m3");
    }

    private static String[] settings(String... databases) {
        return new String[] {
            "-Ddistributedid.backend=sequence_table",
            "-Ddistributedid.create_tables=true",
            "-Ddistributedid.block.max=7",
            "-Ddistributedid.sequence_table.servers=" + urls(databases)
        };
    }

    private void next(String... databases) {
        given.addAll(ids(Run.of(arguments(settings(databases), "next", "photos", "--count=300"))));
    }

    private static Run next1(String... databases) {
        return Run.of(arguments(settings(databases), "next", "photos"));
    }

    @Test
    void aThirdServerIsAdded() {
        next("cli_m1", "cli_m2");

        Run run = Run.of(
                "move",
                "--table=sequence",
                "--from=" + url("cli_m1"),
                "--from=" + url("cli_m2"),
                "--to=" + url("cli_m1"),
                "--to=" + url("cli_m2"),
                "--to=" + url("cli_m3"));

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .containsPattern("^SERVER +SEQUENCE +LAST ID\njdbc:h2:mem:cli_m1 +photos +\\d+\n"
                        + "jdbc:h2:mem:cli_m2 +photos +\\d+\njdbc:h2:mem:cli_m3 +photos +\\d+\n"
                        + "The table sequence was moved. Start the applications with the new list:"
                        + " distributedid.sequence_table.servers\n$");
        assertThat(next1("cli_m1", "cli_m2").exitCode()).isEqualTo(2);
        next("cli_m1", "cli_m2", "cli_m3");
        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void aDryRunSaysWhatAMoveWouldDoAndChangesNothing() throws SQLException {
        next("cli_m1");
        execute("cli_m1", "UPDATE sequence SET id = 1001");
        String[] move = {
            "move", "--table=sequence", "--from=" + url("cli_m1"), "--to=" + url("cli_m1"), "--to=" + url("cli_m2")
        };

        Run dryRun = Run.of(arguments(new String[] {"--dry-run"}, move));

        assertThat(dryRun).isEqualTo(new Run(0, """
                        SERVER              SEQUENCE  LAST ID BEFORE  LAST ID NOW
                        jdbc:h2:mem:cli_m1  photos    1001            1001
                        jdbc:h2:mem:cli_m2  photos    -               1002
                        Dry run: nothing was changed. While clients run, the rows go on from these ids.
                        """, ""));
        assertThat(number("cli_m1", "SELECT id FROM sequence")).isEqualTo(1001);
        assertThat(number("cli_m1", "SELECT COUNT(*) FROM distributedid_record WHERE state = 'OPEN'"))
                .isEqualTo(1);
        assertThat(number("cli_m2", "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'PUBLIC'"))
                .isZero();
        assertThat(Run.of(move).out()).contains("photos    1001\n", "photos    1002\n");
        assertThat(Run.of(arguments(new String[] {"--dry-run"}, move)).out())
                .endsWith("Dry run: there is nothing to move.\n");
    }

    @Test
    void aDryRunRefusesWhatAMoveRefuses() {
        next("cli_m1", "cli_m2");

        assertThat(Run.of(
                                "move",
                                "--dry-run",
                                "--table=sequence",
                                "--from=" + url("cli_m2"),
                                "--from=" + url("cli_m1"),
                                "--to=" + url("cli_m3"))
                        .err())
                .startsWith("The servers do not match the lists: table=sequence");
    }

    @Test
    void aNoteThatIsFarAheadIsNamedAsOne() throws SQLException {
        next("cli_m1", "cli_m2");
        execute(
                "cli_m1",
                "INSERT INTO distributedid_record VALUES ('sequence/photos', 7, 0, 5000000000002, 0, 0, '-', '-',"
                        + " '-')");
        String[] move = {
            "move", "--table=sequence", "--from=" + url("cli_m1"), "--from=" + url("cli_m2"), "--to=" + url("cli_m3")
        };

        assertThat(Run.of(move).err())
                .startsWith("A record notes an id so far ahead of all counters that it may be wrong: table=sequence"
                        + " name=photos on jdbc:h2:mem:cli_m1 notes id=5000000000002 of the server with offset=7,")
                .contains(": distributedid repair photos --above ID, ");

        Run repaired =
                Run.of(arguments(settings("cli_m1", "cli_m2"), "repair", "photos", "--yes", "--above", "1000000000"));
        assertThat(repaired.exitCode()).isZero();
        assertThat(Run.of(move).err()).isEmpty();
        next("cli_m3");
        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void aServerThatIsLostIsReplaced() throws SQLException {
        next("cli_m1", "cli_m2");
        execute("cli_m2", "DROP ALL OBJECTS");

        Run run = Run.of(
                "move",
                "--table=sequence",
                "--from=" + url("cli_m1"),
                "--from=gone",
                "--lost=2",
                "--to=" + url("cli_m1"),
                "--to=" + url("cli_m3"),
                "--max-distance=2000000");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        next("cli_m1", "cli_m3");
        assertThat(given).doesNotHaveDuplicates();
        assertThat(given.get(given.size() - 1)).isGreaterThan(2_000_000);
    }

    @Test
    void aSequenceThatWasRetiredStaysSo() {
        next("cli_m1");
        assertThat(Run.of(arguments(settings("cli_m1"), "retire", "photos")).exitCode())
                .isZero();

        Run run = Run.of("move", "--table=sequence", "--from=" + url("cli_m1"), "--to=" + url("cli_m2"));

        assertThat(run.exitCode()).isZero();
        assertThat(next1("cli_m2").err()).startsWith("The counter was retired");
    }

    @Test
    void listsThatAreNotThoseOfTheTableAreRefused() {
        next("cli_m1", "cli_m2");

        Run run = Run.of(
                "move",
                "--table=sequence",
                "--from=" + url("cli_m2"),
                "--from=" + url("cli_m1"),
                "--to=" + url("cli_m3"));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("The servers do not match the lists: table=sequence");
        next("cli_m1", "cli_m2");
    }

    @Test
    void aServerThatDoesNotAnswerLeavesAllAsItWas() throws SQLException {
        next("cli_m1");
        H2Servers dead = H2Servers.start();
        String gone = dead.url("gone");
        dead.close();

        Run run = Run.of("move", "--table=sequence", "--from=" + url("cli_m1"), "--to=" + gone);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .startsWith(
                        "The move has not ended, and clients may get no ids until it has: table=sequence: jdbc:h2:tcp:")
                .contains(". Repeat the command; or take it back: exchange the servers of --from and --to");
        next("cli_m1");
        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        String[] lists = {"--from=" + url("cli_m1"), "--from=gone", "--to=" + url("cli_m1")};

        assertThat(Run.of(arguments(lists, "move", "--table=sequence", "--lost=3", "--lost=2"))
                        .err())
                .startsWith("A move needs at least one old server that is not lost, and at least one new server");
        assertThat(Run.of(arguments(lists, "move", "--table=sequence", "--lost=2", "--max-distance=5"))
                        .err())
                .isEqualTo("The distance must be that of the applications: --max-distance=5, allowed: 1000000 to"
                        + " 1152921504606846976\n");
        assertThat(Run.of("move", "--table=a b", "--from=" + url("cli_m1"), "--to=" + url("cli_m2"))
                        .err())
                .startsWith("A table must have a plain name: table=a b");
        assertThat(Run.of("move").err())
                .startsWith("Missing required options: '--table=NAME', '--from=URL', '--to=URL'");
    }

    @Test
    void thePasswordComesFromTheEnvironmentAndIsNotPrinted() throws SQLException {
        next("cli_m1");
        execute("cli_m1", "CREATE USER ids PASSWORD 'top-secret' ADMIN");
        execute("cli_m2", "CREATE USER ids PASSWORD 'top-secret' ADMIN");
        String[] move = {"move", "--table=sequence", "--from=" + url("cli_m1"), "--to=" + url("cli_m2"), "--user=ids"};

        Run wrong = Run.with(Map.of("DISTRIBUTEDID_SEQUENCE_TABLE_PASSWORD", "not-so-secret"), move);
        Run right = Run.with(Map.of("DISTRIBUTEDID_SEQUENCE_TABLE_PASSWORD", "top-secret"), move);

        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(wrong.err()).contains("Wrong user name").doesNotContain("secret");
        assertThat(right.exitCode()).isZero();
        next("cli_m2");
        assertThat(given).doesNotHaveDuplicates();
    }
}

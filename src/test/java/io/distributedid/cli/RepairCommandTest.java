package io.distributedid.cli;

import static io.distributedid.cli.Databases.arguments;
import static io.distributedid.cli.Databases.execute;
import static io.distributedid.cli.Databases.ids;
import static io.distributedid.cli.Databases.number;
import static io.distributedid.cli.Databases.url;
import static io.distributedid.cli.Databases.urls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.testkit.H2Servers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The command ends every refusal that names it, and no id is repeated. */
@Tag("slow")
class RepairCommandTest {

    private static final String[] TABLES =
            IdAdmin.ddl(Map.of("distributedid.backend", "ticket"), "h2").toArray(String[]::new);

    private static final String[] TWO = tickets("cli_r1", "cli_r2");

    private static final String[] THREE = tickets("cli_r1", "cli_r2", "cli_r3");

    private final List<Long> given = new ArrayList<>();

    private static String[] tickets(String... databases) {
        return new String[] {
            "-Ddistributedid.backend=ticket",
            "-Ddistributedid.ticket.numbering=client",
            "-Ddistributedid.ticket.increment=" + databases.length,
            "-Ddistributedid.block.max=7",
            "-Ddistributedid.ticket.servers=" + urls(databases)
        };
    }

    @BeforeEach
    void create() throws SQLException {
        for (String database : new String[] {"cli_r1", "cli_r2", "cli_r3"}) {
            execute(database, TABLES);
        }
    }

    private static void empty(String database) throws SQLException {
        execute(database, "DROP ALL OBJECTS");
        execute(database, TABLES);
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("cli_r1", "cli_r2", "cli_r3");
    }

    @Test
    void aSingleServerThatWentBackNeedsTheLargestIdInUse() throws SQLException {
        String[] one = tickets("cli_r1");
        next(one);
        execute("cli_r1", "UPDATE Tickets64 SET id = 1");
        long largest = largest();

        assertRefused(one, "distributedid repair SEQ --above ID");
        Run unknown = Run.of(arguments(one, "repair", "photos"));
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.err())
                .startsWith("A counter went back and may give ids again: table=Tickets64 on jdbc:h2:mem:cli_r1 id=1"
                        + " now, but ids up to ")
                .contains("Raise the counter above every id in use: distributedid repair SEQ --above ID");
        assertRepaired(one, "--above=" + largest);
        assertThat(given.get(given.size() - 1)).isGreaterThan(largest);
    }

    @Test
    void serversThatAreAllEmptyNeedTheLargestIdInUse() throws SQLException {
        next(TWO);
        long largest = largest();
        for (String database : new String[] {"cli_r1", "cli_r2"}) {
            empty(database);
        }

        Run unknown = Run.of(arguments(TWO, "repair", "photos"));

        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.out()).isEmpty();
        assertThat(unknown.err())
                .startsWith("A server has lost its counters, or another has taken its place: table=Tickets64 on"
                        + " jdbc:h2:mem:cli_r1 has no header in its ledger. To fix this, stop the clients and run:"
                        + " distributedid repair SEQ; if no server has a header, add --above ID, the largest id in"
                        + " use;");
        assertRepaired(TWO, "--above=" + largest);
        assertThat(given.get(given.size() - 1)).isGreaterThan(largest);
    }

    @Test
    void aPlaceThatWasLostWithItsLedgerCountsForItselfAfterTheRepair() throws SQLException {
        String[] one = tickets("cli_r1");
        String database = "--database=" + url("cli_r2");
        next(one);
        given.add(startWith("cli_r2"));
        long largest = largest();
        for (boolean wasStarted : new boolean[] {false, true}) {
            empty("cli_r1");
            if (wasStarted) {
                assertThatThrownBy(() -> startWith("cli_r2"))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining(
                                "if the counters were lost, or the database is a copy: distributedid move photos"
                                        + " --new-space --above <largest id in use> --database URL");
            }

            Run run = Run.of(arguments(one, "repair", "photos", "--yes", "--above=" + largest));

            assertThat(run.err()).isEmpty();
            assertThat(run.out())
                    .containsPattern("\nThe servers of photos are in line: its ids go on above \\d+.\n"
                            + "The counters were lost, or are new."
                            + " If a database of the entities remembers another"
                            + " token than [-0-9a-f]{36}: distributedid move photos --new-space --above "
                            + largest + " --database URL\n$");
            assertThatThrownBy(() -> startWith("cli_r2"))
                    .hasMessageContaining("A sequence takes its ids from a different place than before");
            String[] move = {"move", "photos", "--yes", "--new-space", "--above=" + largest, database};
            assertThat(Run.of(arguments(one, move)).exitCode()).isZero();
            given.add(startWith("cli_r2"));
            assertThat(given).doesNotHaveDuplicates();
            largest = largest();
        }
        Run again = Run.of(arguments(one, "repair", "photos"));
        assertThat(again.out()).doesNotContain("move").contains("\nThe servers of photos are in line: ");
    }

    /** Takes one id, as an application with this database does. */
    private static long startWith(String database) {
        Map<String, String> settings = Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.numbering", "client",
                "distributedid.ticket.increment", "1",
                "distributedid.ticket.servers", url("cli_r1"));
        ConnectionAccess own = new ConnectionAccess() {
            @Override
            public Connection obtain() throws SQLException {
                return DriverManager.getConnection(url(database));
            }

            @Override
            public String label() {
                return "own database";
            }
        };
        try (DistributedIds ids = DistributedIds.builder()
                .settings(settings)
                .applicationDatabase(own)
                .build()) {
            return ids.next("photos");
        }
    }

    @Test
    void anotherListIsRefused() throws SQLException {
        next(TWO);
        for (String command : new String[] {"next", "repair"}) {
            assertThat(Run.of(arguments(THREE, command, "photos")).err())
                    .as(command)
                    .startsWith("Clients must number the servers alike: table=Tickets64 on jdbc:h2:mem:cli_r1 is used"
                            + " with increment=2 offset=1, but this client has increment=3 offset=1.")
                    .contains("or move the counters to the new list: distributedid move");
        }
        next(TWO);
        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void aCounterThatIsTooFarAheadNeedsAWord() throws SQLException {
        next(TWO);
        long wrong = 20_000_000_001L;
        execute("cli_r1", "UPDATE Tickets64 SET id = " + wrong);

        Run run = Run.of(arguments(TWO, "check", "--seq=photos"));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains("A counter is so far ahead of all known ids that it must be wrong: table=Tickets64 on"
                        + " jdbc:h2:mem:cli_r1 id=" + wrong)
                .contains("distributedid repair SEQ --above " + wrong);
        assertRepaired(TWO, "--above=" + wrong);
        assertThat(given.get(given.size() - 1)).isGreaterThan(wrong);
    }

    @Test
    void aCounterThatWouldNotFitIsLeftAsItIs() throws SQLException {
        next(TWO);
        empty("cli_r2");
        long before = number("cli_r1", "SELECT id FROM Tickets64");

        Run run = Run.of(arguments(TWO, "repair", "photos", "--above=" + Long.MAX_VALUE));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("A counter can't be raised that far: table=Tickets64 on jdbc:h2:mem:cli_r1 above"
                        + " id=9223372036854775807, allowed: up to 9223372036854775805. Give the column");
        assertThat(number("cli_r1", "SELECT id FROM Tickets64")).isEqualTo(before);
        assertRepaired(TWO);
    }

    /** Else the repair would end a service that works. */
    @Test
    void aCounterThatItsColumnWouldNotHoldIsLeftAsItIs() throws SQLException {
        for (String database : new String[] {"cli_r1", "cli_r2"}) {
            execute(database, "ALTER TABLE Tickets64 ALTER COLUMN id INT NOT NULL");
        }
        next(TWO);
        Run run = Run.of(arguments(TWO, "repair", "photos", "--above=2140000000"));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .isEqualTo("A counter can't be raised that far: table=Tickets64 on jdbc:h2:mem:cli_r1 above"
                        + " id=2160000000, allowed: up to 2147483645. Give the column id a wider type, or the sequence"
                        + " another table"
                        + Pages.onCall("counter-no-room") + "\n");
        next(TWO);
        assertThat(given).doesNotHaveDuplicates();

        assertThat(Run.of(arguments(TWO, "raise", "photos", "--above=2147483646"))
                        .out())
                .contains("allowed: up to 2147483645. Give the column id a wider type");
        next(TWO);
    }

    @Test
    void aRepairAsksBeforeItRaises() throws SQLException {
        next(TWO);
        empty("cli_r2");
        long before = number("cli_r1", "SELECT id FROM Tickets64");
        String[] repair = arguments(TWO, "repair", "photos");
        String jump = "Counters of photos may be raised from " + before + " to above " + (before + 20_000_000)
                + " for good; the ids between are lost.";
        List<String> questions = new ArrayList<>();

        Run unattended = Run.of(repair);
        Run refused = Run.with(Map.of(), question -> Optional.of("n"), repair);
        String found = "SERVER              LAST ID\njdbc:h2:mem:cli_r1  " + before + "\njdbc:h2:mem:cli_r2  0\n";
        assertThat(unattended)
                .isEqualTo(new Run(
                        2,
                        found,
                        jump + " Nothing was done: there is no terminal to ask on. Run the command in a terminal, or"
                                + " add --yes\n"));
        assertThat(refused)
                .isEqualTo(new Run(2, found, "Nothing was changed: SEQ=photos, answer=n, allowed: y to go on\n"));
        assertRefused(TWO, "A server has lost its counters");
        assertThat(number("cli_r1", "SELECT id FROM Tickets64")).isEqualTo(before);

        Run agreed = Run.with(
                Map.of(),
                question -> {
                    questions.add(question);
                    return Optional.of("y");
                },
                repair);
        assertThat(agreed.exitCode()).isZero();
        assertThat(questions).containsExactly(jump + " Go on? (y/N) ");
        assertThat(Run.of(repair).exitCode()).as("one that raises nothing").isZero();
    }

    @Test
    void aDryRunSaysWhatIsWrongAndChangesNothing() throws SQLException {
        next(TWO);
        empty("cli_r2");

        Run run = Run.of(arguments(TWO, "repair", "photos", "--dry-run"));

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("A server has lost its counters")
                .containsPattern(
                        "jdbc:h2:mem:cli_r2 +0\nCounters of photos may be raised from \\d+ to above \\d+ for good")
                .endsWith("Dry run: nothing was changed.\n");
        assertRefused(TWO, "A server has lost its counters");
    }

    @Test
    void aFixedNumberIsNotRepaired() {
        Run run = Run.of("repair", "photos", "-Ddistributedid.backend=snowflake", "-Ddistributedid.snowflake.worker=7");

        assertThat(run)
                .isEqualTo(new Run(
                        2,
                        "",
                        "Only worker numbers that are leased have a store: seq=photos, allowed:"
                                + " distributedid.snowflake.worker=lease, single_use or exclusive, or a number beside"
                                + " snowflake.lease.server\n"));
        assertThat(Run.of("repair").err()).startsWith("Missing required parameter: 'SEQ'");
        assertThat(Run.of(arguments(TWO, "repair", "photos", "--above=-1")).err())
                .isEqualTo("Ids are positive: --above=-1, allowed: 0 or more\n");
    }

    @Test
    void aPasswordIsNotPrinted() {
        Run run = Run.with(
                Map.of("DISTRIBUTEDID_TICKET_PASSWORD", "top-secret"),
                arguments(TWO, "repair", "photos", "-Ddistributedid.ticket.user=nobody", "--verbose"));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("A server refuses the login: Wrong user name")
                .doesNotContain("secret");
    }

    private static void assertRefused(String[] settings, String message) {
        Run run = Run.of(arguments(settings, "next", "photos"));
        assertThat(run.err()).contains(message);
        assertThat(run.exitCode()).isEqualTo(2);
    }

    private void assertRepaired(String[] settings, String... more) {
        Run run = Run.of(arguments(with(settings, more), "repair", "photos", "--yes"));
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .matches("(?s)SERVER +LAST ID\n.*The servers of photos are in line: its ids go on above \\d+\\.\n.*");
        next(settings);
        assertThat(Run.of(arguments(settings, "repair", "photos")).exitCode()).isZero();
        next(settings);
        assertThat(given).doesNotHaveDuplicates();
    }

    private void next(String[] settings) {
        given.addAll(ids(Run.of(arguments(settings, "next", "photos", "--count=500"))));
    }

    private long largest() {
        return given.stream().mapToLong(Long::longValue).max().orElseThrow();
    }

    private static String[] with(String[] settings, String... more) {
        return arguments(more, settings);
    }
}

package io.distributedid.cli;

import static io.distributedid.cli.Databases.arguments;
import static io.distributedid.cli.Databases.execute;
import static io.distributedid.cli.Databases.ids;
import static io.distributedid.cli.Databases.number;
import static io.distributedid.cli.Databases.urls;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RaiseCommandTest {

    private static final String[] TICKETS = {
        "-Ddistributedid.backend=ticket",
        "-Ddistributedid.ticket.numbering=client",
        "-Ddistributedid.ticket.increment=10",
        "-Ddistributedid.block.max=1",
        "-Ddistributedid.ticket.servers=" + urls("cli_up1", "cli_up2")
    };

    private static final String[] ROWS = {
        "-Ddistributedid.backend=sequence_table",
        "-Ddistributedid.create_tables=true",
        "-Ddistributedid.block.max=1",
        "-Ddistributedid.sequence_table.servers=" + urls("cli_up1", "cli_up2")
    };

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("cli_up1", "cli_up2");
    }

    private static void take(String[] settings) {
        ids(Run.of(arguments(settings, "next", "photos", "--count=4", "-Ddistributedid.create_tables=true")));
    }

    private static Run raise(String[] settings, String... more) {
        return Run.of(arguments(more, arguments(settings, "raise", "photos", "--yes")));
    }

    @Test
    void ticketServersAreRaised() throws SQLException {
        take(TICKETS);
        // On a busy machine one server may have given more ids than the other.
        execute("cli_up1", "UPDATE Tickets64 SET id = 51");
        execute("cli_up2", "UPDATE Tickets64 SET id = 52");
        String table = """
                SEQUENCE  CHECK    SERVER               RESULT  DETAIL
                photos    counter  jdbc:h2:mem:cli_up1  ok      id=51
                photos    counter  jdbc:h2:mem:cli_up2  ok      id=52
                photos    counter  jdbc:h2:mem:cli_up1  ok      After the raise: table=Tickets64 on jdbc:h2:mem:cli_up1 was raised from id=51 to above id=5000
                photos    counter  jdbc:h2:mem:cli_up2  ok      After the raise: table=Tickets64 on jdbc:h2:mem:cli_up2 was raised from id=52 to above id=5000
                4 ok, 0 failed, 0 unknown
                Counters of photos that are lower are raised above 5000 for good.
                """;

        assertThat(raise(TICKETS, "--above=5000", "--dry-run"))
                .isEqualTo(new Run(0, table + "Dry run: nothing was changed.\n", ""));
        assertThat(number("cli_up1", "SELECT id FROM Tickets64")).isEqualTo(51);
        assertThat(raise(TICKETS, "--above=5000"))
                .isEqualTo(new Run(0, table + "All ids of photos from now on lie above 5000.\n", ""));
        assertThat(ids(Run.of(arguments(TICKETS, "next", "photos", "--count=2"))))
                .containsExactlyInAnyOrder(5001L, 5002L);
        assertThat(raise(TICKETS, "--above=4000").out())
                .as("none is lowered")
                .contains("id=5001\n", "id=5002\n")
                .doesNotContain("After the raise");
    }

    @Test
    void aSequenceTableIsRaisedAsTheDryRunSays() throws SQLException {
        take(ROWS);
        set("cli_up1", 5);
        set("cli_up2", 4);
        String table = """
                SEQUENCE  CHECK    SERVER               RESULT  DETAIL
                photos    counter  jdbc:h2:mem:cli_up1  ok      id=5
                photos    counter  jdbc:h2:mem:cli_up2  ok      id=4
                photos    counter  jdbc:h2:mem:cli_up1  ok      After the raise: table=sequence name=photos on jdbc:h2:mem:cli_up1 was raised from id=5 to above id=5000
                photos    counter  jdbc:h2:mem:cli_up2  ok      After the raise: table=sequence name=photos on jdbc:h2:mem:cli_up2 was raised from id=4 to above id=5000
                4 ok, 0 failed, 0 unknown
                Counters of photos that are lower are raised above 5000 for good.
                """;

        assertThat(raise(ROWS, "--above=5000", "--dry-run"))
                .isEqualTo(new Run(0, table + "Dry run: nothing was changed.\n", ""));
        assertThat(number("cli_up1", "SELECT id FROM sequence")).isEqualTo(5);
        assertThat(raise(ROWS, "--above=5000"))
                .isEqualTo(new Run(0, table + "All ids of photos from now on lie above 5000.\n", ""));
        assertThat(ids(Run.of(arguments(ROWS, "next", "photos", "--count=2")))).containsExactlyInAnyOrder(5001L, 5002L);
    }

    private static void set(String database, long id) throws SQLException {
        execute(
                database,
                "UPDATE sequence SET id = " + id,
                "UPDATE distributedid SET number = " + id + " WHERE name = 'sequence/photos'",
                "DELETE FROM distributedid WHERE name LIKE '%@%'");
    }

    @Test
    void theOperatorIsAsked() throws SQLException {
        take(TICKETS);
        long before = number("cli_up1", "SELECT id FROM Tickets64");

        Run run = Run.of(arguments(TICKETS, "raise", "photos", "--above=5000"));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .isEqualTo("Counters of photos that are lower are raised above 5000 for good. Nothing was done: there"
                        + " is no terminal to ask on. Run the command in a terminal, or add --yes\n");
        assertThat(number("cli_up1", "SELECT id FROM Tickets64")).isEqualTo(before);
    }

    @Test
    void aServerThatFailsChangesNothing() throws SQLException {
        take(TICKETS);
        long before = number("cli_up1", "SELECT id FROM Tickets64");
        execute("cli_up2", "DROP TABLE Tickets64");

        Run run = raise(TICKETS, "--above=5000");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains("failed  The ticket table is missing: table=Tickets64 on jdbc:h2:mem:cli_up2")
                .endsWith("Nothing was raised. Fix what failed, and repeat the command.\n");
        assertThat(number("cli_up1", "SELECT id FROM Tickets64")).isEqualTo(before);
    }

    @Test
    void onlyCountersAreRaisedAndOnlyAboveIds() {
        assertThat(Run.of(
                        "raise",
                        "photos",
                        "--above=9",
                        "-Ddistributedid.backend=snowflake",
                        "-Ddistributedid.snowflake.worker=7"))
                .isEqualTo(new Run(
                        2,
                        "",
                        "Only a sequence with a counter can be raised: SEQ=photos, allowed: sequences of ticket"
                                + " servers, of a sequence table or of Redis\n"));
        assertThat(raise(TICKETS, "--above=0").err()).isEqualTo("Ids are positive: --above=0, allowed: 1 or more\n");
        assertThat(Run.of(arguments(TICKETS, "raise", "photos")).err())
                .startsWith(
                        "Error: Missing required argument (specify one of these): (--above=ID | [[--database=URL]...");
    }

    @Test
    void aCounterIsNotRaisedToItsEnd() {
        take(TICKETS);

        for (String more : new String[] {"--dry-run", "--verbose"}) {
            Run run = raise(TICKETS, "--above=" + Long.MAX_VALUE, more);
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.out())
                    .contains("failed  A counter can't be raised that far: table=Tickets64 on jdbc:h2:mem:cli_up1 above"
                            + " id=9223372036854775807, allowed: up to 9223372036854775797.")
                    .endsWith("Nothing was raised. Fix what failed, and repeat the command.\n");
        }
    }
}

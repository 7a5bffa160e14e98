package io.distributedid.cli;

import static io.distributedid.cli.Databases.arguments;
import static io.distributedid.cli.Databases.execute;
import static io.distributedid.cli.Databases.ids;
import static io.distributedid.cli.Databases.number;
import static io.distributedid.cli.Databases.url;
import static io.distributedid.cli.Databases.urls;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.H2Servers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddServerCommandTest {

    private static final String TABLE =
            "CREATE TABLE Tickets64 (id BIGINT NOT NULL, stub CHAR(1) NOT NULL DEFAULT '', PRIMARY KEY (stub))";

    private static final String ROOM = "-Ddistributedid.ticket.increment=10";

    private static final String[] TWO = tickets(ROOM, "cli_a1", "cli_a2");

    private static final String[] THREE = tickets(ROOM, "cli_a1", "cli_a2", "cli_a3");

    private final List<Long> given = new ArrayList<>();

    private static String[] tickets(String increment, String... databases) {
        return new String[] {
            "-Ddistributedid.backend=ticket",
            "-Ddistributedid.ticket.numbering=client",
            "-Ddistributedid.block.max=1",
            increment,
            "-Ddistributedid.ticket.servers=" + urls(databases)
        };
    }

    @BeforeEach
    void create() throws SQLException {
        for (String database : List.of("cli_a1", "cli_a2", "cli_a3", "cli_a4")) {
            execute(database, TABLE);
        }
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("cli_a1", "cli_a2", "cli_a3", "cli_a4");
    }

    private void next(String[] settings, int count) {
        given.addAll(ids(Run.of(arguments(settings, "next", "photos", "--count=" + count))));
    }

    private static Run add(String[] settings, String database, String... more) {
        return Run.of(arguments(more, arguments(settings, "add-server", url(database))));
    }

    private static String content(String... databases) throws SQLException {
        StringBuilder content = new StringBuilder();
        for (String database : databases) {
            try (Connection connection = DriverManager.getConnection(url(database));
                    Statement statement = connection.createStatement();
                    ResultSet line = statement.executeQuery("SCRIPT")) {
                while (line.next()) {
                    content.append(line.getString(1)).append('\n');
                }
            }
        }
        return content.toString();
    }

    @Test
    void aServerIsAddedAndBothListsGoOn() throws SQLException {
        next(TWO, 4);
        String before = content("cli_a1", "cli_a2", "cli_a3");
        String table = """
                COUNTER          SERVER              LAST ID BEFORE  LAST ID NOW
                table=Tickets64  jdbc:h2:mem:cli_a1  11              11
                table=Tickets64  jdbc:h2:mem:cli_a2  12              12
                table=Tickets64  jdbc:h2:mem:cli_a3  0               13
                """;

        assertThat(add(TWO, "cli_a3", "--dry-run"))
                .isEqualTo(new Run(0, table + "Dry run: nothing was changed. The server can be added.\n", ""));
        assertThat(content("cli_a1", "cli_a2", "cli_a3")).isEqualTo(before);
        Run refused = Run.of(arguments(THREE, "next", "photos"));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err())
                .startsWith("A server has lost its counters, or another has taken its place: table=Tickets64 on"
                        + " jdbc:h2:mem:cli_a3 has no claim, another has.")
                .endsWith("if the server is new in the list: distributedid add-server\n");

        assertThat(add(TWO, "cli_a3"))
                .isEqualTo(new Run(
                        0,
                        table + "The server was added. Append it to the list, and start the applications one after"
                                + " the other: distributedid.ticket.servers\n",
                        ""));
        next(TWO, 20);
        next(THREE, 30);
        next(TWO, 20);
        assertThat(given).doesNotHaveDuplicates();
        assertThat(given.stream().map(id -> id % 10).distinct()).containsExactlyInAnyOrder(1L, 2L, 3L);
        assertThat(add(TWO, "cli_a3").exitCode()).as("repeated").isZero();
        next(THREE, 30);
        assertThat(given).doesNotHaveDuplicates();
    }

    /** Somebody had set a counter far ahead by mistake, and right again or out of the list. */
    @ParameterizedTest
    @ValueSource(ints = {2, 7})
    void aNewServerFollowsNoNoteThatLiesTooFarAhead(int server) throws SQLException {
        next(TWO, 4);
        execute(
                "cli_a1",
                "DELETE FROM distributedid_record WHERE counter = 'tickets64/a' AND server = " + server,
                "INSERT INTO distributedid_record VALUES ('tickets64/a', " + server
                        + ", 0, 5000000000002, 0, 0, '-', '-', '-')");

        Run refused = add(TWO, "cli_a3");

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err())
                .startsWith("A record notes an id so far ahead of all counters that it may be wrong: table=Tickets64"
                        + " on jdbc:h2:mem:cli_a1 notes id=5000000000002 of the server with offset=" + server
                        + ", counters id=")
                .contains("Say the largest id in use: distributedid repair ");

        assertThat(Run.of(arguments(TWO, "repair", "photos", "--yes", "--above", "1000000000"))
                        .exitCode())
                .isZero();
        assertThat(add(TWO, "cli_a3").err()).isEmpty();
        next(THREE, 30);
        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void aFourthServerIsAddedToTheThird() {
        next(TWO, 4);
        assertThat(add(TWO, "cli_a3").err()).isEmpty();

        assertThat(add(THREE, "cli_a4").err()).isEmpty();

        next(tickets(ROOM, "cli_a1", "cli_a2", "cli_a3", "cli_a4"), 40);
        next(THREE, 9);
        assertThat(given).doesNotHaveDuplicates();
        assertThat(given.stream().map(id -> id % 10).distinct()).containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
    }

    @Test
    void anAddedServerThatLosesItsCounterIsNoticed() throws SQLException {
        next(TWO, 4);
        assertThat(add(TWO, "cli_a3").err()).isEmpty();
        execute("cli_a3", "DROP ALL OBJECTS", TABLE);

        assertThat(Run.of(arguments(THREE, "next", "photos")).err()).startsWith("A server has lost its counters");
        assertThat(add(TWO, "cli_a3"))
                .isEqualTo(new Run(
                        2,
                        "",
                        "The remainder of the new server was given to another server before: table=Tickets64 on"
                                + " jdbc:h2:mem:cli_a3 has increment=10 offset=3, and jdbc:h2:mem:cli_a1 knows of a"
                                + " server with this offset, which gave id=13. Give the new server another offset; if"
                                + " it replaces that server, write it into its place in the list, and run:"
                                + " distributedid repair SEQ\n"));
    }

    /** Else the new server would go on giving ids, and the next place would start below them. */
    @Test
    void theOldListCanNotRetireTheCounterAnyMore() {
        next(TWO, 4);
        assertThat(add(TWO, "cli_a3").err()).isEmpty();

        assertThat(Run.of(arguments(TWO, "retire", "photos")))
                .isEqualTo(new Run(
                        2,
                        "",
                        "A counter must be retired on all its servers: table=Tickets64 on jdbc:h2:mem:cli_a1 knows of a"
                                + " server with offset=3, which is not listed and gave id=13. List it too; if it is"
                                + " gone, list an empty server in its place, and run first: distributedid repair"
                                + " SEQ\n"));
        assertThat(Run.of(arguments(THREE, "retire", "photos")).exitCode()).isZero();
        assertThat(Run.of(arguments(THREE, "next", "photos")).err()).startsWith("The counter was retired");
    }

    @Test
    void afterARepairNoMessageNamesAnIdThatNobodyKnows() throws SQLException {
        next(TWO, 4);
        assertThat(add(TWO, "cli_a3").err()).isEmpty();
        assertThat(Run.of(arguments(THREE, "repair", "photos", "--yes")).exitCode())
                .isZero();

        assertThat(Run.of(arguments(TWO, "retire", "photos")).err())
                .contains(" knows of a server with offset=3, which is not listed. List it too; ");

        execute("cli_a3", "DROP ALL OBJECTS", TABLE);
        assertThat(add(TWO, "cli_a3").err()).contains(" knows of a server with this offset. Give the new server ");
    }

    @Test
    void anAdditionThatWasCutOffIsRepeated() throws SQLException {
        next(TWO, 4);
        assertThat(add(TWO, "cli_a3").err()).isEmpty();
        execute("cli_a3", "UPDATE distributedid_record SET state = 'READY' WHERE counter = 'tickets64'");
        execute("cli_a2", "DELETE FROM distributedid_record WHERE server = 3");

        assertThat(Run.of(arguments(THREE, "next", "photos")).err()).contains("state=ready");
        assertThat(add(TWO, "cli_a3").err()).isEmpty();

        assertThat(number("cli_a2", "SELECT last_id FROM distributedid_record WHERE server = 3"))
                .isEqualTo(13);
        next(THREE, 9);
        assertThat(given).doesNotHaveDuplicates();
    }

    /** Two were begun; the other one has ended. */
    @Test
    void ofTwoServersWithOneOffsetOnlyOneIsAdded() throws SQLException {
        next(TWO, 4);
        assertThat(add(TWO, "cli_a4").err()).isEmpty();
        execute("cli_a1", "DELETE FROM distributedid_record WHERE server = 3");
        execute("cli_a2", "DELETE FROM distributedid_record WHERE server = 3");
        execute("cli_a4", "UPDATE distributedid_record SET state = 'READY' WHERE counter = 'tickets64'");
        assertThat(add(TWO, "cli_a3").err()).isEmpty();

        Run run = add(TWO, "cli_a4");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("Another server was added with the same offset: table=Tickets64 on jdbc:h2:mem:cli_a1"
                        + " knows of it, increment=10 offset=3.");
        assertThat(number("cli_a4", "SELECT COUNT(*) FROM distributedid_record WHERE state = 'OPEN'"))
                .isZero();
    }

    @Test
    void withoutRoomTheStepsOfTheShortestStopAreGivenAndWork() throws SQLException {
        String[] full = tickets("-Ddistributedid.ticket.increment=2", "cli_a1", "cli_a2");
        next(full, 4);
        String before = content("cli_a1", "cli_a2", "cli_a3");

        assertThat(add(full, "cli_a3"))
                .isEqualTo(new Run(
                        2,
                        """
                        The numbering must change. No id can be reserved between the stop and the start. \
                        The shortest stop:
                          1. Create the ticket tables on jdbc:h2:mem:cli_a3, see: distributedid ddl.
                          2. Prepare new settings for all applications: \
                        distributedid.ticket.servers=jdbc:h2:mem:cli_a1, jdbc:h2:mem:cli_a2, jdbc:h2:mem:cli_a3 \
                        and distributedid.ticket.increment=10.
                          3. Stop all applications.
                          4. Run with the new settings, once for each ticket table: distributedid repair SEQ.
                          5. Start all applications with the new settings.
                        """,
                        "There is no room for another server, and nothing was changed: all numbers are given to the"
                                + " present servers, allowed: an increment above the number of servers. Follow the"
                                + " steps above\n"));
        assertThat(content("cli_a1", "cli_a2", "cli_a3")).isEqualTo(before);

        assertThat(Run.of(arguments(THREE, "repair", "photos", "--yes")).exitCode())
                .isZero();
        next(THREE, 9);
        assertThat(given).doesNotHaveDuplicates();
        assertThat(Run.of(arguments(full, "next", "photos")).err()).startsWith("Clients must number the servers alike");
    }

    @Test
    void aServerThatIsNotNewIsRefused() throws SQLException {
        next(TWO, 4);
        execute("cli_a3", "INSERT INTO Tickets64 (id, stub) VALUES (3, 'a')");

        assertThat(add(TWO, "cli_a3").err())
                .startsWith("The new server must be new: table=Tickets64 on jdbc:h2:mem:cli_a3: it has id=3. Is it"
                        + " listed already, or a copy of another server?");
        assertThat(add(TWO, "cli_a2").err())
                .startsWith("A setting has a value that is not allowed: distributedid.ticket.servers=jdbc:h2:mem:cli_a2"
                        + " twice, allowed: every server once");
    }

    @Test
    void allServersMustHaveTheTableAndBeInLine() throws SQLException {
        next(TWO, 4);
        execute("cli_a3", "DROP TABLE Tickets64");
        assertThat(add(TWO, "cli_a3").err())
                .startsWith("The ticket table is missing: table=Tickets64 on jdbc:h2:mem:cli_a3. Create it: ");

        execute("cli_a3", TABLE);
        execute("cli_a2", "UPDATE Tickets64 SET id = 2");
        execute("cli_a1", "UPDATE distributedid_record SET last_id = 12 WHERE server = 2");
        assertThat(add(TWO, "cli_a3").err())
                .startsWith("The servers must be in line before one is added: table=Tickets64 on jdbc:h2:mem:cli_a2"
                        + " went back (truncated, restored from a backup, a deleted row?)");
        assertThat(number("cli_a3", "SELECT COUNT(*) FROM Tickets64")).isZero();
    }

    @Test
    void ofSeveralTablesNoneIsChangedIfOneCanNotBe() throws SQLException {
        String[] more = {
            "-Ddistributedid.seq.photos.ticket.bits=64", "-Ddistributedid.seq.users.ticket.table=TicketsUsers"
        };
        for (String database : List.of("cli_a1", "cli_a2")) {
            execute(database, TABLE.replace("Tickets64", "TicketsUsers"));
        }
        String[] settings = arguments(more, TWO);
        next(settings, 4);
        String before = content("cli_a1", "cli_a2", "cli_a3");

        assertThat(add(settings, "cli_a3").err())
                .startsWith("The ticket table is missing: table=TicketsUsers on jdbc:h2:mem:cli_a3");
        assertThat(content("cli_a1", "cli_a2", "cli_a3")).isEqualTo(before);

        execute("cli_a3", TABLE.replace("Tickets64", "TicketsUsers"));
        Run run = add(settings, "cli_a3");
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .containsPattern("table=Tickets64 +jdbc:h2:mem:cli_a3 +0 +13\n")
                .containsPattern("table=TicketsUsers +jdbc:h2:mem:cli_a3 +0 +not in use yet\n");
    }

    @Test
    void tablesThatTheSettingsDoNotNameAreTold() throws SQLException {
        for (String database : List.of("cli_a1", "cli_a2", "cli_a3")) {
            execute(database, TABLE.replace("Tickets64", "TicketsUsers"));
        }
        next(TWO, 4);
        next(arguments(new String[] {"-Ddistributedid.seq.photos.ticket.table=TicketsUsers"}, TWO), 4);

        assertThat(add(TWO, "cli_a3", "--dry-run").out())
                .endsWith("Not looked at, though clients use them with these servers: ticketsusers. Repeat the command"
                        + " with a sequence of each: --seq\nDry run: nothing was changed. The server can be added.\n");
        assertThat(add(
                                arguments(new String[] {"-Ddistributedid.seq.users.ticket.table=TicketsUsers"}, TWO),
                                "cli_a3",
                                "--seq=photos,users")
                        .out())
                .contains("table=Tickets64 ", "table=TicketsUsers ")
                .doesNotContain("Not looked at");
    }

    @Test
    void onlyTicketServersAreAdded() {
        assertThat(Run.of("add-server", "t3", "-Ddistributedid.backend=ticket").err())
                .isEqualTo("The new server must be given by a JDBC URL: t3, allowed: jdbc:mysql://HOST/SCHEMA\n");
        assertThat(Run.of("add-server", url("cli_a3"), "-Ddistributedid.backend=sequence_table")
                        .err())
                .isEqualTo("Only ticket servers can be added while applications run:"
                        + " distributedid.backend=sequence_table, allowed: sequences with"
                        + " distributedid.backend=ticket. For a sequence table: distributedid move\n");
    }
}

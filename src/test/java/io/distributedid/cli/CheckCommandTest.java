package io.distributedid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.testkit.H2Servers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CheckCommandTest {

    private static final String ODD = "jdbc:h2:mem:cli_odd;DB_CLOSE_DELAY=-1";

    private static final String EVEN = "jdbc:h2:mem:cli_even;DB_CLOSE_DELAY=-1";

    private static final String[] TICKET = {
        "-Ddistributedid.backend=ticket",
        "-Ddistributedid.ticket.numbering=client",
        "-Ddistributedid.ticket.servers=" + ODD + ", " + EVEN
    };

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("cli_odd", "cli_even");
    }

    @Test
    void everyServerIsAsked() throws SQLException {
        createTables();

        assertThat(check("--seq", "photos")).isEqualTo(new Run(0, """
                                SEQUENCE  CHECK      SERVER                RESULT  DETAIL
                                photos    numbering  jdbc:h2:mem:cli_odd   ok      increment=10 offset=1
                                photos    table      jdbc:h2:mem:cli_odd   ok      table=Tickets64
                                photos    ledger     jdbc:h2:mem:cli_odd   ok      not used yet: the first client creates its rows
                                photos    counter    jdbc:h2:mem:cli_odd   ok      not created yet: its first client creates it
                                photos    numbering  jdbc:h2:mem:cli_even  ok      increment=10 offset=2
                                photos    table      jdbc:h2:mem:cli_even  ok      table=Tickets64
                                photos    ledger     jdbc:h2:mem:cli_even  ok      not used yet: the first client creates its rows
                                photos    counter    jdbc:h2:mem:cli_even  ok      not created yet: its first client creates it
                                photos    distance   -                     ok      distance=0, allowed: distributedid.max_distance=10000000
                                9 ok, 0 failed, 0 unknown
                                """, ""));
    }

    @Test
    void sequencesWithSettingsAreCheckedWithoutBeingNamed() throws SQLException {
        createTables();

        assertThat(check("-Ddistributedid.seq.users.block.min=1", "--seq", "photos,logs")
                        .out()
                        .lines()
                        .map(line -> line.split(" ", 2)[0])
                        .distinct())
                .containsExactly("SEQUENCE", "logs", "photos", "users", "27");
    }

    @Test
    void aServerWithoutTableFailsAndGetsNone() throws SQLException {
        createTables(ODD);

        Run run = check("--seq=photos", "-Ddistributedid.create_tables=true");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).isEmpty();
        assertThat(run.out().lines())
                .contains(
                        "photos    counter    jdbc:h2:mem:cli_odd   ok      not created yet: its first client creates"
                                + " it",
                        "photos    table      jdbc:h2:mem:cli_even  failed  The ticket table is missing:"
                                + " table=Tickets64 on jdbc:h2:mem:cli_even. Create it: CREATE TABLE IF NOT EXISTS"
                                + " Tickets64 (id BIGINT NOT NULL, stub CHAR(1) NOT NULL DEFAULT '', PRIMARY KEY"
                                + " (stub)); it also needs the ledger beside it (distributedid ddl prints both); or let"
                                + " the first client create it: distributedid.create_tables=true",
                        "4 ok, 2 failed, 0 unknown");
        assertThat(tables(EVEN)).isZero();
    }

    @Test
    void serversInAnotherOrderFail() throws SQLException {
        createTables();
        run("next", "photos");

        Run run = check("--seq=photos", "-Ddistributedid.ticket.servers=" + EVEN + "," + ODD);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains("jdbc:h2:mem:cli_even  failed  Clients must number the servers alike: table=Tickets64 on"
                        + " jdbc:h2:mem:cli_even")
                .contains("9 ok, 1 failed, 0 unknown");
    }

    @Test
    void aServerThatDoesNotAnswerFails() throws SQLException {
        createTables();
        H2Servers dead = H2Servers.start();
        String url = dead.url("dead");
        dead.close();

        Run run = check("--seq=photos", "-Ddistributedid.ticket.servers=" + ODD + "," + url);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .containsPattern("photos +connection +jdbc:h2:tcp://localhost:\\d+/mem:dead +failed +\\S")
                .contains("4 ok, 2 failed, 0 unknown");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void aServerFarBehindIsToldAndNotRaised() throws SQLException {
        createTables();
        run("next", "photos");
        execute(ODD, "UPDATE Tickets64 SET id = 20000001 WHERE stub = 'a'");

        Run run = check("--seq=photos");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("photos    counter    jdbc:h2:mem:cli_even  ok      id=0")
                .contains("photos    counter    jdbc:h2:mem:cli_even  ok      The next client finds: table=Tickets64 on"
                        + " jdbc:h2:mem:cli_even was more than 10000000 behind the others; it was raised above"
                        + " 20000001")
                .contains("photos    distance   -                     ok      distance=20000001, beyond"
                        + " distributedid.max_distance=10000000");
        assertThat(check("--seq=photos").out()).contains("jdbc:h2:mem:cli_even  ok      id=0");
    }

    @Test
    void aSequenceTableIsChecked() throws SQLException {
        for (String ddl : IdAdmin.ddl(Map.of("distributedid.backend", "sequence_table"), "h2")) {
            execute(ODD, ddl);
        }

        assertThat(Run.of(
                        "check",
                        "--seq=photos",
                        "-Ddistributedid.backend=sequence_table",
                        "-Djakarta.persistence.jdbc.url=" + ODD))
                .isEqualTo(new Run(0, """
                                SEQUENCE  CHECK      SERVER               RESULT  DETAIL
                                photos    numbering  jdbc:h2:mem:cli_odd  ok      increment=1 offset=1
                                photos    table      jdbc:h2:mem:cli_odd  ok      table=sequence name=photos
                                photos    ledger     jdbc:h2:mem:cli_odd  ok      not used yet: the first client creates its rows
                                photos    counter    jdbc:h2:mem:cli_odd  ok      not created yet: its first client creates it
                                4 ok, 0 failed, 0 unknown
                                """, ""));
    }

    @Test
    void theStoreOfWorkerNumbersIsReadAndTheClocksAreCompared() throws SQLException {
        String[] lease = {
            "check",
            "--seq=photos",
            "-Ddistributedid.backend=snowflake",
            "-Ddistributedid.snowflake.worker=lease",
            "-Ddistributedid.snowflake.lease.server=" + ODD
        };
        Run missing = Run.of(lease);
        Run run;
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend", "snowflake",
                "distributedid.snowflake.worker", "lease",
                "distributedid.snowflake.lease.server", ODD,
                "distributedid.create_tables", "true"))) {
            ids.next("users");
            run = Run.of(lease);
        }

        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.out())
                .contains("store of leases  distributedid on jdbc:h2:mem:cli_odd  failed  The ledger beside the ids is"
                        + " missing:");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out().replaceAll("[-0-9]+T[0-9:.]+Z", "NOW").replaceAll("token=[-0-9a-f]+", "token=TOKEN"))
                .isEqualTo("""
                        SEQUENCE  CHECK            SERVER                                RESULT  DETAIL
                        photos    layout           -                                     ok      time(ms):41, worker:10, sequence:12 from NOW until 2093
                        photos    store of leases  distributedid on jdbc:h2:mem:cli_odd  ok      token=TOKEN window=60000ms skew=15000ms
                        photos    leases           distributedid on jdbc:h2:mem:cli_odd  ok      1 of 1024 numbers are taken
                        photos    clock            distributedid on jdbc:h2:mem:cli_odd  ok      clock=NOW, the store's NOW, allowed: 15000 ms apart
                        photos    layout record    distributedid on jdbc:h2:mem:cli_odd  ok      none yet: nobody has taken an id of photos
                        5 ok, 0 failed, 0 unknown
                        """);
    }

    @Test
    void whatCannotBeSeenIsUnknown() {
        Run run = Run.of(
                "check", "--seq=photos", "-Ddistributedid.backend=snowflake", "-Ddistributedid.snowflake.worker=7");

        assertThat(run).isEqualTo(new Run(0, """
                                SEQUENCE  CHECK          SERVER  RESULT   DETAIL
                                photos    layout         -       ok       time(ms):41, worker:10, sequence:12 from 2024-01-01T00:00:00Z until 2093
                                photos    worker         -       ok       worker=7, no state_file
                                photos    other workers  -       unknown  can't tell whether another process has the same number
                                2 ok, 0 failed, 1 unknown
                                """, ""));
        assertThat(Run.of("check", "--seq=photos", "-Ddistributedid.backend=next_id")
                        .out())
                .contains(
                        "photos    function  -       unknown  function=next_id is called on the connection that writes"
                                + " a row");
    }

    @Test
    void aSettingWithAnImpossibleValueFails() {
        Run run = Run.of(
                "check", "--seq=photos", "-Ddistributedid.backend=snowflake", "-Ddistributedid.snowflake.worker=1024");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains("photos    start  -       failed  A setting has a value that is not allowed:"
                        + " distributedid.snowflake.worker=1024, allowed:");
    }

    @Test
    void withoutSequencesThereIsNothingToCheck() {
        assertThat(Run.of("check", "-Ddistributedid.backend=snowflake"))
                .isEqualTo(new Run(
                        2,
                        "",
                        "There is no sequence to check: the settings name none. Name those of the application: --seq"
                                + " photos --seq users\n"));
    }

    @Test
    void idsOfATableAreComparedWithTheClock() throws SQLException {
        execute(ODD, "CREATE TABLE photo (id BIGINT PRIMARY KEY)");
        execute(EVEN, "CREATE TABLE photo (id BIGINT PRIMARY KEY)");
        execute(EVEN, "INSERT INTO photo VALUES (" + (1L << 62) + ")");

        Run run = checkTable("--seq=photos", "-Ddistributedid.backend=snowflake", "-Ddistributedid.snowflake.worker=7");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains("photos    existing ids   jdbc:h2:mem:cli_odd   ok       none")
                .contains("photos    id column      jdbc:h2:mem:cli_odd   ok ")
                .contains("photos    existing ids   jdbc:h2:mem:cli_even  failed   New ids would be smaller than an"
                        + " existing id, and ids could repeat: seq=photos id=4611686018427387904"
                        + " time=2058-11-03T19:53:47.776Z");
    }

    @Test
    void idsOfATableBesideCountersAreNamed() throws SQLException {
        createTables();
        execute(ODD, "CREATE TABLE photo (id BIGINT PRIMARY KEY)");
        execute(EVEN, "CREATE TABLE photo (id BIGINT PRIMARY KEY)");
        execute(EVEN, "INSERT INTO photo VALUES (40)");

        Run run = checkTable("--seq=photos", TICKET[0], TICKET[1], TICKET[2]);

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("photos    existing ids  jdbc:h2:mem:cli_even  unknown  id=40. Compare it with the counters:"
                        + " distributedid raise SEQ --table --dry-run");
    }

    @Test
    void aTableIsThatOfOneSequence() {
        Run run = checkTable("--seq=photos,users", "-Ddistributedid.backend=snowflake");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .isEqualTo("A table must be checked for exactly one sequence: --table=photo --seq=photos,users. Name"
                        + " the sequence of its ids\n");
    }

    private static Run checkTable(String... more) {
        List<String> arguments = new ArrayList<>(
                List.of("check", "--table=photo", "--column=id", "--database=" + ODD, "--database=" + EVEN));
        arguments.addAll(List.of(more));
        return Run.of(arguments.toArray(String[]::new));
    }

    @Test
    void aMisspeltSettingIsRefused() {
        Run run = check("--seq=photos", "-Ddistributedid.ticket.tabel=x");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("There is no such setting: distributedid.ticket.tabel. Did you mean"
                        + " distributedid.ticket.table?");
    }

    private static Run check(String... more) {
        return run("check", more);
    }

    private static Run run(String command, String... more) {
        String[] arguments = new String[1 + TICKET.length + more.length];
        arguments[0] = command;
        // The last value wins, and that must be the test's servers.
        System.arraycopy(TICKET, 0, arguments, 1, TICKET.length);
        System.arraycopy(more, 0, arguments, 1 + TICKET.length, more.length);
        return Run.of(arguments);
    }

    private static void createTables() throws SQLException {
        createTables(ODD);
        createTables(EVEN);
    }

    private static void createTables(String url) throws SQLException {
        for (String ddl : IdAdmin.ddl(Map.of("distributedid.backend", "ticket"), "h2")) {
            execute(url, ddl);
        }
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int tables(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'PUBLIC'")) {
            row.next();
            return row.getInt(1);
        }
    }
}

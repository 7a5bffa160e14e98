package io.distributedid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdAdmin;
import io.distributedid.testkit.H2Servers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RaiseAboveTableTest {

    private static final String[] NAMES = {"cli_odd", "cli_even", "cli_shard1", "cli_shard2"};

    @BeforeEach
    void create() throws SQLException {
        for (String ticket : new String[] {"cli_odd", "cli_even"}) {
            for (String ddl : IdAdmin.ddl(Map.of("distributedid.backend", "ticket"), "h2")) {
                execute(ticket, ddl);
            }
        }
        execute("cli_shard1", "CREATE TABLE photo (id BIGINT PRIMARY KEY); INSERT INTO photo VALUES (1), (40)");
        execute("cli_shard2", "CREATE TABLE photo (id BIGINT PRIMARY KEY); INSERT INTO photo VALUES (1000), (7)");
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop(NAMES);
    }

    @Test
    void countersAreRaisedAboveTheIdsOfAllShards() {
        assertThat(raise(Map.of())).isEqualTo(new Run(0, """
                                DATABASE                LARGEST ID
                                jdbc:h2:mem:cli_shard1  40
                                jdbc:h2:mem:cli_shard2  1000

                                SEQUENCE  CHECK    SERVER                RESULT  DETAIL
                                photos    counter  jdbc:h2:mem:cli_odd   ok      not created yet: its first client creates it
                                photos    counter  jdbc:h2:mem:cli_even  ok      not created yet: its first client creates it
                                2 ok, 0 failed, 0 unknown
                                Counters of photos that are lower are raised above 1000 for good.
                                All ids of photos from now on lie above 1000.
                                """, ""));
        assertThat(Run.of(with("next", "photos", "-Ddistributedid.block.max=1", "--count=2"))
                        .out()
                        .lines())
                .allSatisfy(id -> assertThat(Long.parseLong(id)).isGreaterThan(1000));
    }

    @Test
    void aDryRunWritesNothing() throws SQLException {
        assertThat(raise(Map.of(), "--dry-run")).isEqualTo(new Run(0, """
                                DATABASE                LARGEST ID
                                jdbc:h2:mem:cli_shard1  40
                                jdbc:h2:mem:cli_shard2  1000

                                SEQUENCE  CHECK    SERVER                RESULT  DETAIL
                                photos    counter  jdbc:h2:mem:cli_odd   ok      not created yet: its first client creates it
                                photos    counter  jdbc:h2:mem:cli_even  ok      not created yet: its first client creates it
                                2 ok, 0 failed, 0 unknown
                                Counters of photos that are lower are raised above 1000 for good.
                                Dry run: nothing was changed.
                                """, ""));
        for (String server : List.of("cli_odd", "cli_even")) {
            assertThat(Databases.number(server, "SELECT COUNT(*) FROM Tickets64"))
                    .isZero();
            assertThat(Databases.number(server, "SELECT COUNT(*) FROM distributedid WHERE name <> '@store'"))
                    .isZero();
        }
    }

    @Test
    void aShardThatStillNumbersItsRowsIsAFinding() throws SQLException {
        execute(
                "cli_shard2",
                "DROP TABLE photo; CREATE TABLE photo (id BIGINT AUTO_INCREMENT PRIMARY KEY); INSERT INTO photo VALUES"
                        + " (1000), (7)");

        Run run = raise(Map.of());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains("All ids of photos from now on lie above 1000.")
                .contains("photos    id column  jdbc:h2:mem:cli_shard2  failed  The database still numbers the rows by"
                        + " itself: table=photo column=id IDENTITY.")
                .contains("To stop it: ALTER TABLE photo ALTER COLUMN id DROP IDENTITY")
                .contains("0 ok, 1 failed, 0 unknown");
        execute("cli_shard2", "ALTER TABLE photo ALTER COLUMN id DROP IDENTITY");
        assertThat(raise(Map.of()).exitCode()).isZero();
    }

    @Test
    void aShardWithoutTheTableIsRefusedBeforeAnythingIsRaised() throws SQLException {
        execute("cli_shard2", "DROP TABLE photo");

        Run run = raise(Map.of());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("Every database must have the table: --table=photo,"
                        + " jdbc:h2:mem:cli_shard2 said: Table \"PHOTO\""
                        + " not found");
        assertThat(run.err().lines()).hasSize(1);
        assertThat(Run.of(with("check", "--seq=photos")).out())
                .contains("not created yet")
                .doesNotContain("id=1");
    }

    @Test
    void aColumnThatIsNotThereIsRefused() {
        Run run = Run.of(with(
                "raise",
                "photos",
                "--table=photo",
                "--column=nr",
                "--database=jdbc:h2:mem:cli_shard1;DB_CLOSE_DELAY=-1"));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .startsWith(
                        "The ids in use can't be read: --table=photo --column=nr, jdbc:h2:mem:cli_shard1 said: Column"
                                + " \"NR\"");
    }

    @Test
    void aServerThatMustNotBeUsedEndsIt() throws SQLException {
        execute("cli_even", "DROP TABLE Tickets64");

        Run run = raise(Map.of());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains("The ticket table is missing")
                .contains("Nothing was raised. Fix what failed, and repeat the command.");
    }

    @Test
    void thePasswordOfTheShardsComesFromTheEnvironmentAndIsNotPrinted() throws SQLException {
        for (String shard : new String[] {"cli_shard1", "cli_shard2"}) {
            execute(shard, "CREATE USER app PASSWORD 'top-secret' ADMIN");
        }

        Run right = raise(Map.of("DISTRIBUTEDID_DATABASE_PASSWORD", "top-secret"), "--user=app");
        Run wrong = raise(Map.of("DISTRIBUTEDID_DATABASE_PASSWORD", "not-so-secret"), "--user=app", "--verbose");

        assertThat(right.exitCode()).isZero();
        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(wrong.err())
                .startsWith(
                        "A database of the entities refuses the login: jdbc:h2:mem:cli_shard1 said: Wrong user name")
                .contains("  because: org.h2.jdbc.JdbcSQLInvalidAuthorizationSpecException: Wrong user name")
                .doesNotContain("secret");
    }

    @Test
    void idsThatHoldTheTimeAreComparedWithTheClock() throws SQLException {
        Run below = snowflake();
        assertThat(below.err()).isEmpty();
        assertThat(below.exitCode()).isZero();
        assertThat(below.out())
                .startsWith("""
                        DATABASE                LARGEST ID
                        jdbc:h2:mem:cli_shard1  40

                        The ids of photos hold the time: there is no counter to raise.
                        """)
                .contains("photos    existing ids  -       ok      seq=photos id=40 time=2024-01-01T00:00:00Z, clock=")
                .endsWith("1 ok, 0 failed, 0 unknown\n");

        execute("cli_shard1", "INSERT INTO photo VALUES (" + (1L << 62) + ")");
        Run above = snowflake();
        assertThat(above.exitCode()).isEqualTo(1);
        assertThat(above.out())
                .contains("photos    existing ids  -       failed  New ids would be smaller than an existing id, and"
                        + " ids could repeat: seq=photos id=4611686018427387904 time=2058-11-03T19:53:47.776Z")
                .endsWith("0 ok, 1 failed, 0 unknown\n");
    }

    private static Run snowflake() {
        return Run.of(
                "raise",
                "photos",
                "--table=photo",
                "--column=id",
                "--database=jdbc:h2:mem:cli_shard1",
                "-Ddistributedid.backend=snowflake",
                "-Ddistributedid.snowflake.worker=7");
    }

    @Test
    void everythingMustBeSaid() {
        assertThat(Run.of("raise", "photos"))
                .isEqualTo(new Run(
                        2,
                        "",
                        "Error: Missing required argument (specify one of these): (--above=ID |"
                                + " [[--database=URL]... [--user=NAME] --table=NAME --column=NAME])\n"
                                + "Try: distributedid raise --help\n"));
        assertThat(Run.of("raise", "photos", "--table=photo", "--database=jdbc:x:1")
                        .err())
                .contains("Missing required argument(s): --column=NAME");
        assertThat(Run.of(with("raise", "photos", "--table=photo", "--column=id"))
                        .err())
                .isEqualTo("A table needs its databases: --table=photo, allowed: with --database URL for each of"
                        + " them\n");
    }

    private static Run raise(Map<String, String> environment, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "raise",
                "photos",
                "--yes",
                "--table=photo",
                "--column=id",
                "--database=jdbc:h2:mem:cli_shard1;DB_CLOSE_DELAY=-1",
                "--database=jdbc:h2:mem:cli_shard2;DB_CLOSE_DELAY=-1"));
        arguments.addAll(List.of(more));
        return Run.with(environment, with(arguments.toArray(String[]::new)));
    }

    private static String[] with(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("-Ddistributedid.backend=ticket");
        all.add("-Ddistributedid.ticket.numbering=client");
        all.add("-Ddistributedid.ticket.servers=jdbc:h2:mem:cli_odd;DB_CLOSE_DELAY=-1,"
                + " jdbc:h2:mem:cli_even;DB_CLOSE_DELAY=-1");
        return all.toArray(String[]::new);
    }

    private static void execute(String database, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

package io.distributedid.commandline;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.commandline.Program.Result;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packed program against two real ticket servers, which hold the tables of two shards too. */
@Needs(Need.MYSQL)
class CommandLineTest {

    private static final String PASSWORD = "correct-horse";

    private static final Map<String, String> ENVIRONMENT =
            Map.of("DISTRIBUTEDID_TICKET_PASSWORD", PASSWORD, "DISTRIBUTEDID_DATABASE_PASSWORD", PASSWORD);

    private static final String OPTIONS = "?sslMode=DISABLED&allowPublicKeyRetrieval=true";

    private static MySqlServer odd;

    private static MySqlServer even;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() throws IOException {
        odd = server("odd", 1);
        even = server("even", 2);
    }

    private static MySqlServer server(String name, int offset) throws IOException {
        return MySqlServer.start(
                Files.createTempDirectory(Path.of("target"), name),
                "--auto-increment-increment=2",
                "--auto-increment-offset=" + offset);
    }

    @BeforeEach
    void setUp() throws IOException, SQLException {
        for (MySqlServer server : List.of(odd, even)) {
            execute(
                    server,
                    "DROP DATABASE IF EXISTS app",
                    "DROP DATABASE IF EXISTS tickets",
                    "CREATE DATABASE app",
                    "CREATE DATABASE tickets",
                    "CREATE TABLE app.photo (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY)",
                    "CREATE USER IF NOT EXISTS tickets@'%' IDENTIFIED BY '" + PASSWORD + "'",
                    "GRANT SELECT ON app.* TO tickets@'%'",
                    "GRANT SELECT, INSERT, UPDATE, DELETE ON tickets.* TO tickets@'%'");
        }
        execute(odd, "INSERT INTO app.photo VALUES (41)");
        execute(even, "INSERT INTO app.photo VALUES (1000)");
        Files.writeString(folder.resolve("ids.properties"), """
                distributedid.backend=ticket
                distributedid.ticket.servers=%s, %s
                distributedid.ticket.user=tickets
                distributedid.timeout=1m
                """.formatted(
                        url(odd, "tickets") + OPTIONS, url(even, "tickets") + OPTIONS));
        Files.createDirectories(folder.resolve("lib"));
        Files.copy(Program.driver(), folder.resolve("lib/driver.jar"));
    }

    @Test
    void anOperatorMovesATableToTicketServers() throws Exception {
        Result missing = run("check", "--seq", "photos");
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.out())
                .contains("failed  The ticket table is missing: table=Tickets64 on " + url(odd, "tickets"));

        Result ddl = run("ddl");
        assertThat(ddl).isEqualTo(new Result(0, ddl.out(), ""));
        for (MySqlServer server : List.of(odd, even)) {
            execute(
                    server,
                    Stream.concat(Stream.of("USE tickets"), ddl.out().strip().lines())
                            .map(line -> line.replace(";", ""))
                            .toArray(String[]::new));
        }

        assertThat(run("check", "--seq", "photos")).isEqualTo(new Result(0, named("""
                        SEQUENCE  CHECK      SERVER  RESULT  DETAIL
                        photos    numbering  T1      ok      increment=2 offset=1
                        photos    table      T1      ok      table=Tickets64
                        photos    ledger     T1      ok      not used yet: the first client creates its rows
                        photos    counter    T1      ok      not created yet: its first client creates it
                        photos    numbering  T2      ok      increment=2 offset=2
                        photos    table      T2      ok      table=Tickets64
                        photos    ledger     T2      ok      not used yet: the first client creates its rows
                        photos    counter    T2      ok      not created yet: its first client creates it
                        photos    distance   -       ok      distance=0, allowed: distributedid.max_distance=10000000
                        9 ok, 0 failed, 0 unknown
                        """), ""));

        assertThat(aboveTable("--dry-run"))
                .as("the shards still number their rows")
                .extracting(Result::exitCode)
                .isEqualTo(1);
        for (MySqlServer server : List.of(odd, even)) {
            execute(server, "ALTER TABLE app.photo MODIFY id BIGINT NOT NULL");
        }

        Result dryRun = aboveTable("--dry-run");
        assertThat(dryRun.exitCode()).as(dryRun.err()).isZero();
        assertThat(dryRun.out()).contains(url(odd, "app") + "  41", url(even, "app") + "  1000");
        assertThat(dryRun.out()).endsWith("Dry run: nothing was changed.\n");
        assertThat(run("check", "--seq=photos").out())
                .contains("not created yet")
                .doesNotContain("id=1");

        Result raised = aboveTable();
        assertThat(raised.exitCode()).as(raised.err()).isZero();
        assertThat(raised.out()).endsWith("All ids of photos from now on lie above 1000.\n");

        Result next = run("next", "photos", "--count", "3");
        assertThat(next.exitCode()).as(next.err()).isZero();
        assertThat(next.err()).isEmpty();
        assertThat(next.out().lines().map(Long::valueOf))
                .hasSize(3)
                .doesNotHaveDuplicates()
                .allSatisfy(id -> assertThat(id).isGreaterThan(1000));

        assertThat(run("decode", "photos", "1003"))
                .isEqualTo(new Result(0, "id      1003\nserver  1\nbits    1111101011\n", ""));
    }

    @Test
    void aWrongPasswordIsNotPrinted() throws Exception {
        Result next = Program.run(
                folder,
                Map.of("DISTRIBUTEDID_TICKET_PASSWORD", "wrong-horse"),
                "next",
                "photos",
                "--config=ids.properties",
                "--verbose");

        assertThat(next.exitCode()).as(next.err()).isEqualTo(1);
        assertThat(next.err())
                .contains("Access denied for user 'tickets'", "  because: java.sql.SQLException: ")
                .doesNotContain("horse", "\tat ");
    }

    @Test
    void aDriverIsNeededOnTheClassPath() throws Exception {
        Result without = Program.runWithoutDriver(folder, ENVIRONMENT, "next", "photos", "--config=ids.properties");
        Result with = Program.run(
                folder, ENVIRONMENT, "next", "photos", "--config=ids.properties", "-Ddistributedid.create_tables=true");

        assertThat(without.exitCode()).isEqualTo(2);
        assertThat(without.err())
                .isEqualTo("No JDBC driver accepts the URL: url=" + url(odd, "tickets")
                        + " (com.mysql:mysql-connector-j). Add its driver to the class path: put its jar into the folder"
                        + " lib, and start the command as java -cp \"" + Program.jar() + File.pathSeparator
                        + "lib/*\" io.distributedid.cli.Main\n");
        assertThat(with.exitCode()).as(with.err()).isEqualTo(2);
        assertThat(with.err()).contains("CREATE command denied to user 'tickets'");
    }

    @Test
    void itReadsTheFileOfSpringBootAndPrintsJson() throws Exception {
        Files.writeString(folder.resolve("application.yml"), "distributedid:\n  backend: snowflake\n");

        Result decoded =
                Program.run(folder, Map.of(), "decode", "382500178340355880", "--json", "--config=application.yml");

        assertThat(decoded.exitCode()).as(decoded.err()).isZero();
        assertThat(decoded.out()).startsWith("{\"id\":\"382500178340355880\",\"time\":\"2026-11-21T");
    }

    @Test
    void itKnowsItsVersion() throws Exception {
        assertThat(Program.run(folder, Map.of(), "--version").out()).matches("distributedid \\d+\\.\\d+\\.\\d+\\S*\n");
    }

    private Result aboveTable(String... more) throws Exception {
        return run(Stream.concat(
                        Stream.of(
                                "raise",
                                "photos",
                                "--table=photo",
                                "--column=id",
                                "--database=" + url(odd, "app") + OPTIONS,
                                "--database=" + url(even, "app") + OPTIONS,
                                "--user=tickets",
                                "--yes"),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    private Result run(String... arguments) throws Exception {
        return Program.run(
                folder,
                ENVIRONMENT,
                Stream.concat(Stream.of(arguments), Stream.of("--config=ids.properties"))
                        .toArray(String[]::new));
    }

    /** With the servers' addresses, which are as long as each other, in place of T1 and T2. */
    private static String named(String table) {
        String filled = " ".repeat(url(odd, "tickets").length() - "SERVER".length());
        return table.replace("SERVER", "SERVER" + filled)
                .replace("T1    ", url(odd, "tickets"))
                .replace("T2    ", url(even, "tickets"))
                .replace("-     ", "-     " + filled);
    }

    private static String url(MySqlServer server, String schema) {
        return "jdbc:mysql://127.0.0.1:" + server.port() + "/" + schema;
    }

    private static void execute(MySqlServer server, String... statements) throws SQLException {
        try (Connection connection = server.connect("mysql");
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}

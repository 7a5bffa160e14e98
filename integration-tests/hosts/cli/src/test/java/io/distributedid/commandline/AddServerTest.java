package io.distributedid.commandline;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.commandline.Program.Result;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A third ticket server joins two, as the page for operators says. */
@Needs(Need.MYSQL)
class AddServerTest {

    private static final String PASSWORD = "correct-horse";

    private static final List<MySqlServer> SERVERS = new ArrayList<>();

    private final List<IdTaker> takers = new ArrayList<>();

    @TempDir
    Path folder;

    @BeforeAll
    static void start() throws IOException {
        for (int offset = 1; offset <= 3; offset++) {
            SERVERS.add(MySqlServer.start(
                    Files.createTempDirectory(Path.of("target"), "t" + offset),
                    "--auto-increment-increment=10",
                    "--auto-increment-offset=" + offset));
        }
    }

    @BeforeEach
    void setUp() throws Exception {
        Files.createDirectories(folder.resolve("lib"));
        Files.copy(Program.driver(), folder.resolve("lib/driver.jar"));
        settings("old.properties", 2);
        settings("new.properties", 3);
        String[] ddl = run("old.properties", "ddl").out().replace(";", "").split("\n");
        for (MySqlServer server : SERVERS) {
            execute(
                    server,
                    "DROP DATABASE IF EXISTS tickets",
                    "CREATE DATABASE tickets",
                    "CREATE USER IF NOT EXISTS tickets@'%' IDENTIFIED BY '" + PASSWORD + "'",
                    "GRANT SELECT, INSERT, UPDATE, DELETE ON tickets.* TO tickets@'%'",
                    "USE tickets",
                    ddl[0],
                    ddl[1]);
        }
    }

    @AfterEach
    void close() {
        takers.forEach(IdTaker::close);
    }

    private void settings(String file, int servers) throws IOException {
        Files.writeString(folder.resolve(file), """
                distributedid.backend=ticket
                distributedid.ticket.servers=%s
                distributedid.ticket.user=tickets
                distributedid.ticket.password=%s
                distributedid.timeout=1m
                distributedid.block.timeout=2m
                distributedid.block.max=50
                """.formatted(
                        SERVERS.subList(0, servers).stream()
                                .map(server -> url(server) + "?sslMode=DISABLED&allowPublicKeyRetrieval=true")
                                .collect(Collectors.joining(", ")),
                        PASSWORD));
    }

    @Test
    void applicationsOfTheOldListAndOfTheNewOneRunMeanwhile() throws Exception {
        assertThat(run("old.properties", "next", "photos").exitCode()).isZero();
        String before = content();

        Result dryRun = add("--dry-run");

        assertThat(dryRun.exitCode()).as(dryRun.err()).isZero();
        assertThat(dryRun.out())
                .containsPattern("table=Tickets64  " + url(SERVERS.get(2)) + "  0 +\\d+\n")
                .endsWith("Dry run: nothing was changed. The server can be added.\n");
        assertThat(content()).isEqualTo(before);

        take("old.properties");
        take("old.properties");
        for (IdTaker old : takers) {
            old.awaitIds(1_000);
        }
        Result added = add();
        assertThat(added.exitCode()).as(added.err()).isZero();
        assertThat(added.err()).isEmpty();
        assertThat(added.out())
                .endsWith("The server was added. Append it to the list, and start the applications one after the"
                        + " other: distributedid.ticket.servers\n");
        take("new.properties");
        take("new.properties");
        for (IdTaker taker : takers) {
            taker.awaitIds(taker.taken() + 2_000);
        }

        Set<Long> ids = new HashSet<>();
        List<Long> twice = new ArrayList<>();
        Set<Long> remainders = new HashSet<>();
        long failed = 0;
        for (IdTaker taker : takers) {
            failed += taker.stop(id -> {
                remainders.add(id % 10);
                if (!ids.add(id)) {
                    twice.add(id);
                }
            });
        }
        System.out.println("add-server, 2 applications of the old list and 2 of the new one: ids=" + ids.size()
                + " duplicates=" + twice.size() + " failed calls=" + failed);
        assertThat(twice).isEmpty();
        assertThat(failed).isZero();
        assertThat(ids).hasSizeGreaterThan(9_000);
        assertThat(remainders).containsExactlyInAnyOrder(1L, 2L, 3L);
        Result check = run("new.properties", "check", "--seq", "photos");
        assertThat(check.exitCode()).as(check.out()).isZero();
    }

    @Test
    void withoutRoomTheStepsAreGivenAndLeadToThreeServers() throws Exception {
        number(2, 1, 2);
        try {
            assertThat(run("old.properties", "next", "photos", "--count=100").exitCode())
                    .isZero();
            String before = content();

            Result refused = add();

            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.err())
                    .isEqualTo("There is no room for another server, and nothing was changed: all numbers are given to"
                            + " the present servers, allowed: an increment above the number of servers. Follow the"
                            + " steps above\n");
            assertThat(refused.out()).isEqualTo(steps());
            assertThat(content()).isEqualTo(before);

            number(10, 1, 2);
            Result repair = run("new.properties", "repair", "photos", "--yes");
            assertThat(repair.exitCode()).as(repair.err()).isZero();
            Result next = run("new.properties", "next", "photos", "--count=100");
            assertThat(next.err()).isEmpty();
            assertThat(next.out().lines().map(Long::valueOf))
                    .doesNotHaveDuplicates()
                    .allSatisfy(id -> assertThat(id).isGreaterThan(10_000_000));
        } finally {
            number(10, 1, 2);
        }
    }

    private static String steps() {
        return """
                The numbering must change. No id can be reserved between the stop and the start. The shortest stop:
                  1. Create the ticket tables on T3, see: distributedid ddl.
                  2. Write into my.cnf of T1: auto_increment_increment=10 auto_increment_offset=1, \
                of T2: auto_increment_increment=10 auto_increment_offset=2, \
                of T3: auto_increment_increment=10 auto_increment_offset=3; restart the last one only.
                  3. Prepare new settings for all applications: distributedid.ticket.servers=T1, T2, T3.
                  4. Stop all applications.
                  5. Run on T1: SET GLOBAL auto_increment_increment=10, auto_increment_offset=1, \
                on T2: SET GLOBAL auto_increment_increment=10, auto_increment_offset=2.
                  6. Run with the new settings, once for each ticket table: distributedid repair SEQ.
                  7. Start all applications with the new settings.
                """.replace("T1", url(SERVERS.get(0)))
                .replace("T2", url(SERVERS.get(1)))
                .replace("T3", url(SERVERS.get(2)));
    }

    /** The first servers count from these offsets, for connections that are opened from now on. */
    private static void number(int increment, int... offsets) throws SQLException {
        for (int place = 0; place < offsets.length; place++) {
            execute(
                    SERVERS.get(place),
                    "SET GLOBAL auto_increment_increment = " + increment + ", auto_increment_offset = "
                            + offsets[place]);
        }
    }

    private void take(String settings) throws IOException {
        takers.add(IdTaker.start(folder, folder.resolve(settings)));
    }

    private Result add(String... more) throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of("add-server", url(SERVERS.get(2)) + "?sslMode=DISABLED&allowPublicKeyRetrieval=true"));
        arguments.addAll(List.of(more));
        return run("old.properties", arguments.toArray(String[]::new));
    }

    private Result run(String settings, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--config=" + settings);
        return Program.run(folder, Map.of(), all.toArray(String[]::new));
    }

    /** All rows of all tables of all servers. */
    private static String content() throws SQLException {
        StringBuilder content = new StringBuilder();
        for (MySqlServer server : SERVERS) {
            for (String table : List.of("Tickets64", "distributedid_record")) {
                try (Connection connection = server.connect("tickets");
                        Statement statement = connection.createStatement();
                        ResultSet row = statement.executeQuery("SELECT * FROM " + table + " ORDER BY 1, 2")) {
                    while (row.next()) {
                        for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
                            content.append(row.getString(column)).append(' ');
                        }
                        content.append('\n');
                    }
                }
            }
        }
        return content.toString();
    }

    private static String url(MySqlServer server) {
        return "jdbc:mysql://127.0.0.1:" + server.port() + "/tickets";
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

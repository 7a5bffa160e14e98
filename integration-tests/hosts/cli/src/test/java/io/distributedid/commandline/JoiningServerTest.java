package io.distributedid.commandline;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.commandline.Program.Result;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.CrashNode;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A third ticket server joins two, as the page for operators says. */
@Needs(Need.MYSQL)
class JoiningServerTest {

    private static final String PASSWORD = "correct-horse";

    private static final List<MySqlServer> SERVERS = new ArrayList<>();

    private final List<CrashNode> takers = new ArrayList<>();

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
        takers.forEach(CrashNode::close);
    }

    private void settings(String file, int servers) throws IOException {
        Files.writeString(folder.resolve(file), """
                distributedid.backend=ticket
                distributedid.ticket.servers=%s
                distributedid.ticket.user=tickets
                distributedid.ticket.password=%s
                distributedid.timeout=1m
                distributedid.block.timeout=2s
                distributedid.block.max=50
                """.formatted(
                        SERVERS.subList(0, servers).stream()
                                .map(server -> url(server) + "?sslMode=DISABLED&allowPublicKeyRetrieval=true")
                                .collect(Collectors.joining(", ")),
                        PASSWORD));
    }

    @Test
    void applicationsOfTheOldListEndAndThoseOfTheNewOneGoOn() throws Exception {
        for (int i = 0; i < 2; i++) {
            awaitIds(take("old.properties"), 1_000);
        }

        Result moved = run("new.properties", "move", "photos", "--yes", "--from=old.properties");

        assertThat(moved.exitCode()).as(moved.err()).isZero();
        assertThat(moved.out()).endsWith("Start the applications with the new settings.\n");
        for (int i = 0; i < 2; i++) {
            awaitIds(take("new.properties"), 2_000);
        }
        Set<Long> ids = new HashSet<>();
        List<Long> twice = new ArrayList<>();
        Set<Long> remainders = new HashSet<>();
        for (CrashNode taker : takers) {
            taker.kill().forEach(id -> {
                remainders.add(id % 10);
                if (!ids.add(id)) {
                    twice.add(id);
                }
            });
        }
        System.out.println("A joining server, 2 applications of the old list and 2 of the new one: ids=" + ids.size()
                + " duplicates=" + twice.size());
        assertThat(twice).isEmpty();
        assertThat(remainders).containsExactlyInAnyOrder(1L, 2L, 3L);
        // Started with the old list, an application uses the servers that it names: their numbers are the same.
        Result later = run("old.properties", "next", "photos");
        assertThat(later.exitCode()).as(later.err()).isZero();
        assertThat(ids).doesNotContain(Long.valueOf(later.out().strip()));
        Result check = run("new.properties", "check", "--seq", "photos");
        assertThat(check.exitCode()).as(check.out()).isZero();
    }

    private CrashNode take(String file) throws IOException {
        Properties settings = new Properties();
        try (BufferedReader reader = Files.newBufferedReader(folder.resolve(file))) {
            settings.load(reader);
        }
        Map<String, String> values = new HashMap<>();
        settings.stringPropertyNames().forEach(name -> values.put(name, settings.getProperty(name)));
        CrashNode taker = CrashNode.start(folder, values, "photos");
        takers.add(taker);
        return taker;
    }

    private static void awaitIds(CrashNode taker, int count) {
        Await.until("an application has taken " + count + " ids", () -> taker.taken() >= count, taker::log);
    }

    private Result run(String settings, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--config=" + settings);
        return Program.run(folder, Map.of(), all.toArray(String[]::new));
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

package io.distributedid.commandline;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.commandline.Program.Result;
import io.distributedid.testkit.JavaProcess;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packed program, with Lettuce in the folder {@code lib}, against two Redis servers that need a password. */
@Needs(Need.REDIS)
class RedisCommandLineTest {

    private static final String COUNTER = "distributedid:{photos}";

    private static final Map<String, String> ENVIRONMENT = Map.of("DISTRIBUTEDID_REDIS_PASSWORD", "correct-horse");

    @TempDir
    Path folder;

    private RedisServer odd;

    private RedisServer even;

    @BeforeEach
    void setUp() throws IOException {
        odd = RedisServer.start(folder.resolve("odd"));
        even = RedisServer.start(folder.resolve("even"));
        for (RedisServer server : List.of(odd, even)) {
            // The user of the tests stays without a password.
            server.command("ACL", "SETUSER", "ids", "on", ">correct-horse", "~distributedid:*", "+@all");
        }
        Files.writeString(folder.resolve("ids.properties"), """
                distributedid.backend=redis
                distributedid.redis.servers=%s, %s
                distributedid.redis.user=ids
                distributedid.timeout=1m
                """.formatted(odd.url(), even.url()));
        Files.createDirectories(folder.resolve("lib"));
        List<Path> jars = new ArrayList<>(Program.lettuce());
        jars.add(JavaProcess.jarOf("org.h2.Driver"));
        for (Path jar : jars) {
            Files.copy(jar, folder.resolve("lib").resolve(jar.getFileName()));
        }
    }

    @Test
    void anOperatorMovesATableToCountersInRedis() throws Exception {
        Result check = run("check", "--seq", "photos");
        assertThat(check.err()).isEmpty();
        assertThat(check.out())
                .contains(
                        "numbering  " + odd.url() + "  ok      increment=2 offset=1",
                        "numbering  " + even.url() + "  ok      increment=2 offset=2",
                        "not used yet: the first client creates its rows")
                .endsWith(" ok, 0 failed, 0 unknown\n");
        assertThat(odd.command("DBSIZE")).as("a check changes nothing").isEqualTo("0");

        String shard = "jdbc:h2:" + folder.toAbsolutePath().resolve("app");
        try (Connection connection = DriverManager.getConnection(shard);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE photo (id BIGINT PRIMARY KEY)");
            statement.execute("INSERT INTO photo VALUES (1000)");
        }
        String[] raise = {"raise", "photos", "--yes", "--table=photo", "--column=id", "--database=" + shard};
        Result dryRun = run(raise, "--dry-run");
        assertThat(dryRun.exitCode()).as(dryRun.err()).isZero();
        assertThat(dryRun.out()).endsWith("Dry run: nothing was changed.\n");
        Result done = run(raise);
        assertThat(done.exitCode()).as(done.err()).isZero();
        assertThat(done.out()).endsWith("All ids of photos from now on lie above 1000.\n");

        assertThat(idsOf(run("next", "photos", "--count=3"))).allMatch(id -> id > 1_000 && id < 2_000);

        Result raised = run("raise", "photos", "--yes", "--above=2000000");
        assertThat(raised.exitCode()).as(raised.err()).isZero();
        assertThat(raised.out()).endsWith("All ids of photos from now on lie above 2000000.\n");
        assertThat(idsOf(run("next", "photos", "--count=3"))).allMatch(id -> id > 2_000_000 && id < 2_010_000);
    }

    @Test
    void anOperatorMendsCountersThatAreGone() throws Exception {
        List<Long> before = idsOf(run("next", "photos", "--count=10"));
        odd.command("FLUSHALL");
        even.command("FLUSHALL");
        odd.command("SET", COUNTER, "1");

        Result check = run("check", "--seq=photos");
        assertThat(check.exitCode()).as(check.out()).isEqualTo(1);
        assertThat(check.out())
                .contains("failed  An empty server is listed beside one that gave ids: key=" + COUNTER + " on "
                        + even.url() + ". Listing servers does not divide a counter that is in use.");

        Result repaired = run(
                "repair",
                "photos",
                "--yes",
                "--above=" + before.stream().mapToLong(each -> each).max().orElseThrow());
        assertThat(repaired.exitCode()).as(repaired.err()).isZero();
        assertThat(repaired.err()).isEmpty();
        assertThat(idsOf(run("next", "photos", "--count=10"))).doesNotContainAnyElementsOf(before);
        assertThat(run("check", "--seq=photos").exitCode()).isZero();
    }

    @Test
    void lettuceIsNeededOnTheClassPath() throws Exception {
        Result without = Program.runWithoutDriver(folder, ENVIRONMENT, "next", "photos", "--config=ids.properties");

        assertThat(without.exitCode()).isEqualTo(2);
        assertThat(without.err())
                .startsWith(
                        "A library is missing: distributedid.backend=redis needs Lettuce. Add io.lettuce:lettuce-core"
                                + " to the class path");
    }

    private static List<Long> idsOf(Result next) {
        assertThat(next.exitCode()).as(next.err()).isZero();
        assertThat(next.err()).isEmpty();
        List<Long> ids = next.out().lines().map(Long::valueOf).toList();
        assertThat(ids).isNotEmpty().doesNotHaveDuplicates();
        return ids;
    }

    private Result run(String[] arguments, String... more) throws Exception {
        return run(Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new));
    }

    private Result run(String... arguments) throws Exception {
        return Program.run(
                folder,
                ENVIRONMENT,
                Stream.concat(Stream.of(arguments), Stream.of("--config=ids.properties"))
                        .toArray(String[]::new));
    }
}

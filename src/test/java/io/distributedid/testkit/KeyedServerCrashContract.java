package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A database server is killed and started again, and so are processes that take numbers per key from it, with gaps and
 * without. Numbers with gaps stay in order. Of those without gaps, none is missing after commits, rollbacks and kills,
 * and each is greater than all that were committed before its transaction began.
 *
 * <p>{@code -Dfaults.rounds=30} makes the run longer, {@code -Dfaults.seed=...} repeats the choices of another.
 */
public abstract class KeyedServerCrashContract {

    private static final int ROUNDS = Integer.getInteger("faults.rounds", 1);

    private static final int KEYS = 3;

    private static final int LONGEST_MILLIS = 500;

    @TempDir
    Path folder;

    private final long seed = Long.getLong("faults.seed", System.nanoTime());

    private final Random random = new Random(seed);

    private final CallLedger[] rows = ledgers();

    private final CallLedger[] gapless = ledgers();

    private final List<KeyedNode> nodes = new ArrayList<>();

    private static CallLedger[] ledgers() {
        return Stream.generate(CallLedger::new).limit(KEYS).toArray(CallLedger[]::new);
    }

    /** A server that commits to its disk. */
    public interface Server extends AutoCloseable {

        /** The same one after each start. */
        String url();

        /** Kills all its processes with SIGKILL. */
        void kill() throws IOException;

        /** Starts it again on its data. */
        void start() throws IOException;

        @Override
        void close() throws IOException;
    }

    /** Starts a server, with its files in a folder. */
    protected abstract Server start(Path home) throws IOException;

    @Test
    void numbersStayInOrderAndWithoutGapsWhileTheServerAndProcessesAreKilled() throws Exception {
        System.out.println("server crash run: seed=" + seed);
        try (Server server = start(folder.resolve("server"))) {
            createTables(server.url());
            try {
                for (int i = 0; i < 2; i++) {
                    nodes.add(startNode(i, server.url()));
                }
                awaitNumbers();
                for (int round = 0; round < ROUNDS; round++) {
                    killServer(server);
                }
                nodes.forEach(KeyedServerCrashContract::kill);
                for (int i = 0; i < nodes.size(); i++) {
                    nodes.get(i).addTo(ledgers(i));
                }
            } finally {
                nodes.forEach(KeyedNode::close);
            }
            check(server.url());
        }
    }

    private static void createTables(String url) throws Exception {
        try (DistributedIds ids = DistributedIds.create(rowSettings(url))) {
            ids.keyed("creates-the-table").next(1);
        }
        try (Connection connection = DriverManager.getConnection(url)) {
            connection
                    .createStatement()
                    .execute("CREATE TABLE " + KeyedNode.ROWS + " (key_number INT NOT NULL, number BIGINT NOT NULL)");
        }
    }

    private static Map<String, Object> rowSettings(String url) {
        return PatientSettings.of(Map.of("distributedid.keyed.row.server", url, "distributedid.create_tables", true));
    }

    /** Every other one takes numbers without gaps. */
    private KeyedNode startNode(int place, String url) throws Exception {
        return place % 2 == 0
                ? KeyedNode.start(folder, rowSettings(url), "messages", KEYS)
                : KeyedNode.startGapless(folder, url, "invoices", KEYS);
    }

    private CallLedger[] ledgers(int place) {
        return place % 2 == 0 ? rows : gapless;
    }

    /** In the middle of work. A process is killed while the server is away. */
    private void killServer(Server server) throws Exception {
        Thread.sleep(random.nextInt(LONGEST_MILLIS));
        server.kill();
        replace(random.nextInt(nodes.size()), server.url());
        Thread.sleep(random.nextInt(LONGEST_MILLIS));
        server.start();
        awaitNumbers();
    }

    private void replace(int place, String url) throws Exception {
        kill(nodes.get(place));
        nodes.get(place).addTo(ledgers(place));
        nodes.set(place, startNode(place, url));
    }

    private static void kill(KeyedNode node) {
        try {
            node.kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private void awaitNumbers() {
        nodes.forEach(node -> node.awaitMore(50));
    }

    private void check(String url) throws Exception {
        System.out.println("server crash run: seed=" + seed + " numbers with gaps=" + count(rows)
                + ", without gaps=" + count(gapless) + ", longest time without a number of a key: "
                + longest(rows) + " ms and " + longest(gapless) + " ms");
        for (int key = 0; key < KEYS; key++) {
            for (CallLedger ledger : List.of(rows[key], gapless[key])) {
                String what = (ledger == rows[key] ? "with gaps, key " : "without gaps, key ") + key + ", seed " + seed;
                assertThat(ledger.size()).as(what).isPositive();
                assertThat(ledger.twice()).as(what).isEmpty();
                assertThat(ledger.disorder()).as(what).isEmpty();
            }
        }
        assertThat(DatabaseRows.rows(
                        url,
                        "SELECT key_number, MAX(number) - COUNT(*), COUNT(*) - COUNT(DISTINCT number) FROM "
                                + KeyedNode.ROWS + " GROUP BY key_number ORDER BY key_number"))
                .as("of each key, numbers that are missing, and those that were given again, seed %s", seed)
                .isEqualTo(
                        IntStream.range(0, KEYS).mapToObj(key -> key + " 0 0").toList());
        for (int key = 0; key < KEYS; key++) {
            assertThat(DatabaseRows.number(
                            url, "SELECT COUNT(*) FROM " + KeyedNode.ROWS + " WHERE key_number = " + key))
                    .as("committed rows of key %s, seed %s", key, seed)
                    .isGreaterThanOrEqualTo(gapless[key].size());
        }
    }

    private static int count(CallLedger[] ledgers) {
        return Stream.of(ledgers).mapToInt(CallLedger::size).sum();
    }

    private static long longest(CallLedger[] ledgers) {
        return Stream.of(ledgers).mapToLong(CallLedger::longestGap).max().orElseThrow() / 1_000_000;
    }
}

package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.mysql.FaultNode.Field;
import io.distributedid.mysql.FaultNode.Plan;
import io.distributedid.testkit.FaultRun;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Eight threads of three applications persist photos through Hibernate, while two ticket servers are killed, hang, lose
 * connections in the middle of statements, and forget a table, one at a time. It shows that no {@code persist()} fails,
 * no id is given twice, and none lies below one that came from the same server before.
 *
 * <p>The applications differ in their blocks: the defaults, so that the run sees what an application sees; at the most
 * a hundred ids, so that faults meet many statements; and single ids, see {@link FaultNode}.
 *
 * <p>Each fault comes once. {@code -Dfaults.seconds=600} makes the run longer, {@code -Dfaults.seed=...} repeats the
 * order of another. The moments differ then all the same: servers and threads take the time that they take.
 */
@Needs(Need.MYSQL)
class TicketFaultTest {

    private static final String SHARD = "faults";

    /** The witness makes longer pauses, so that its ids are not always the last when a server is killed. */
    private static final List<Plan> PLANS = List.of(
            new Plan("defaults", 4, 0, 50), new Plan("small blocks", 3, 100, 50), new Plan("single ids", 1, 1, 250));

    private final long seed = Long.getLong("faults.seed", System.nanoTime());

    private final Duration length = Duration.ofSeconds(Long.getLong("faults.seconds", 0));

    private final List<FaultNode> nodes = new ArrayList<>();

    @TempDir
    Path folder;

    @Test
    void noIdTwiceNoneBelowAnEarlierOneAndNoFailureWhileOneServerIsUp() throws Exception {
        FaultBoard<Field> board = new FaultBoard<>(folder.resolve("board"), Field.class);
        FaultPair pair = FaultPair.empty();
        Random random = new Random(seed);
        FaultRun<TicketFaults.Kind> run = new FaultRun<>(random, TicketFaults.Kind.class, this::requireAllAlive);
        try {
            for (Plan plan : PLANS) {
                nodes.add(start(board, plan, pair, random.nextLong()));
            }
            run.await("all have ids of both servers", () -> allHaveIdsOfBoth(board));
            new TicketFaults(pair.sides(), run).runFor(length);
            stopAll();
            check(board, run);
        } catch (Exception | AssertionError e) {
            throw new AssertionError(e.getMessage() + " (seed=" + seed + ")" + run, e);
        } finally {
            nodes.forEach(FaultNode::close);
        }
    }

    private FaultNode start(FaultBoard<Field> board, Plan plan, FaultPair pair, long nodeSeed) throws Exception {
        int number = nodes.size();
        createTable(number);
        Map<String, String> settings = Map.of(
                "hibernate.connection.url",
                shard().jdbcUrl(SHARD + number),
                "distributedid.backend",
                "ticket",
                "distributedid.ticket.servers",
                plan.block() == 0 ? pair.urls() : pair.proxiedUrls(),
                "distributedid.create_tables",
                "true",
                // One server is always up, but the machine may be busy.
                "distributedid.block.timeout",
                "1m");
        return new FaultNode(board, number, plan, nodeSeed, settings);
    }

    private static MySqlServer shard() {
        return MySqlServers.shard(0);
    }

    private static void createTable(int node) throws SQLException {
        try (Connection connection = shard().connect(SHARD + node);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS Photo, distributedid");
            statement.execute("CREATE TABLE Photo (id BIGINT PRIMARY KEY, owner INT NOT NULL, title VARCHAR(255))");
        }
    }

    private void requireAllAlive() throws Exception {
        for (FaultNode node : nodes) {
            node.requireAlive();
        }
    }

    private boolean allHaveIdsOfBoth(FaultBoard<Field> board) {
        for (int node = 0; node < nodes.size(); node++) {
            if (board.get(node, Field.HIGHEST_EVEN) == 0 || board.get(node, Field.HIGHEST_ODD) == 0) {
                return false;
            }
        }
        return true;
    }

    private void stopAll() throws Exception {
        for (FaultNode node : nodes) {
            node.stop();
        }
    }

    private void check(FaultBoard<Field> board, FaultRun<TicketFaults.Kind> run) throws SQLException {
        List<long[]> byNode = new ArrayList<>();
        for (int node = 0; node < nodes.size(); node++) {
            byNode.add(ids(node));
        }
        long[] ids = byNode.stream().flatMapToLong(LongStream::of).sorted().toArray();
        System.out.println("fault run: seed=" + seed + " ids=" + ids.length + " faults=" + run.counts() + " gaps: odd="
                + gaps(ids, 1) + " even=" + gaps(ids, 0) + " longest wait: " + longestWaits(board));

        for (int node = 0; node < nodes.size(); node++) {
            assertThat(byNode.get(node).length)
                    .as("rows of " + nodes.get(node).name())
                    .isEqualTo((int) board.get(node, Field.IDS));
        }
        assertThat(givenTwice(ids)).as("ids given twice").isEmpty();
        assertThat(run.counts()).as("faults").containsKeys(TicketFaults.Kind.values());
    }

    private static long[] ids(int node) throws SQLException {
        LongStream.Builder ids = LongStream.builder();
        try (Connection connection = shard().connect(SHARD + node);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id FROM Photo")) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids.build().toArray();
    }

    private static long[] givenTwice(long[] sorted) {
        return IntStream.range(1, sorted.length)
                .filter(i -> sorted[i] == sorted[i - 1])
                .mapToLong(i -> sorted[i])
                .toArray();
    }

    /** How many ids of a server nobody has, between its least and its largest. */
    private static long gaps(long[] sorted, int remainder) {
        long[] ids = LongStream.of(sorted).filter(id -> id % 2 == remainder).toArray();
        return (ids[ids.length - 1] - ids[0]) / 2 + 1 - ids.length;
    }

    private String longestWaits(FaultBoard<Field> board) {
        StringBuilder waits = new StringBuilder();
        for (int node = 0; node < nodes.size(); node++) {
            long nanos = board.get(node, Field.LONGEST_WAIT_NANOS);
            waits.append(node == 0 ? "" : ", ")
                    .append(TimeUnit.NANOSECONDS.toMillis(nanos))
                    .append(" ms (")
                    .append(nodes.get(node).name())
                    .append(')');
        }
        return waits.toString();
    }
}

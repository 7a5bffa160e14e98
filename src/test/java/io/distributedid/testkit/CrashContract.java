package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes take ids of one sequence table, and are killed and started again in the middle of it. */
public abstract class CrashContract {

    private static final int BLOCK = 1_000;

    /** What a process may have reserved and not handed out: the block in use, the next one, and one under way. */
    private static final long LOST_BY_A_KILL = 3L * BLOCK;

    @TempDir
    Path folder;

    /** The URL of the database that holds the table. */
    protected abstract String server();

    /** How often a process is killed while another goes on. In memory it is tried more often. */
    protected int kills() {
        return 2;
    }

    @Test
    void killsCostBoundedGapsAndNoIdIsGivenTwice() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        LongStream all = LongStream.empty();
        CrashNode[] nodes = {start(), start()};
        try {
            for (int kill = 0; kill < kills(); kill++) {
                int victim = random.nextInt(nodes.length);
                awaitIds(nodes[victim], 1 + random.nextInt(5 * BLOCK));
                all = LongStream.concat(all, nodes[victim].kill());
                nodes[victim] = start();
            }
            for (CrashNode node : nodes) {
                awaitIds(node, 1);
                all = LongStream.concat(all, node.kill());
            }
        } finally {
            for (CrashNode node : nodes) {
                node.close();
            }
        }
        long[] ids = all.toArray();
        long gaps = reserved() - ids.length;
        System.out.println("crash run: seed=" + seed + " kills=" + (kills() + nodes.length) + " ids=" + ids.length
                + " gaps=" + gaps);

        assertThat(LongStream.of(ids).distinct().count())
                .as("distinct ids, seed " + seed)
                .isEqualTo(ids.length);
        assertThat(gaps).as("gaps, seed " + seed).isBetween(0L, (kills() + nodes.length) * LOST_BY_A_KILL);
    }

    private CrashNode start() throws Exception {
        return CrashNode.start(
                folder,
                Map.of(
                        "distributedid.backend",
                        "sequence_table",
                        "distributedid.sequence_table.servers",
                        server(),
                        "distributedid.create_tables",
                        "true",
                        // A machine may be busy, and a start is not tried again.
                        "distributedid.timeout",
                        "30s",
                        "distributedid.block.max",
                        Integer.toString(BLOCK)),
                "crashes");
    }

    private static void awaitIds(CrashNode node, int count) {
        Await.until(
                "the node has taken " + count + " ids",
                () -> {
                    assertThat(node.isAlive())
                            .as(() -> "the node runs; it printed: " + node.log())
                            .isTrue();
                    return node.taken() >= count;
                },
                () -> node.taken() + " ids; it printed: " + node.log());
    }

    private long reserved() throws SQLException {
        try (Connection connection = DriverManager.getConnection(server());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT id FROM sequence WHERE name = 'crashes'")) {
            row.next();
            return row.getLong(1);
        }
    }
}

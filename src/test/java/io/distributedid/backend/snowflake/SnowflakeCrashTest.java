package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.CrashNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process with a fixed number is killed again and again, and started again at once. */
@Tag("slow")
class SnowflakeCrashTest {

    private static final int KILLS = 5;

    @TempDir
    Path folder;

    @Test
    void withAStateFileTheIdsOfAKilledProcessLieBelowThoseOfTheNext() throws Exception {
        assertAscendingOverKills(Map.of(
                "distributedid.backend", "snowflake",
                "distributedid.snowflake.worker", "1",
                "distributedid.snowflake.state_file", folder.resolve("state").toString()));
    }

    @Test
    void withoutOneToo() throws Exception {
        assertAscendingOverKills(Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", "1"));
    }

    private void assertAscendingOverKills(Map<String, String> settings) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Long> all = new ArrayList<>();
        for (int kill = 0; kill < KILLS; kill++) {
            try (CrashNode node = CrashNode.start(folder, settings, "crashes")) {
                int wanted = 1 + random.nextInt(400_000);
                Await.until(
                        "the node has taken " + wanted + " ids",
                        () -> node.taken() >= wanted || !node.isAlive(),
                        node::taken);
                assertThat(node.isAlive())
                        .as(() -> "the node runs; it printed: " + node.log())
                        .isTrue();
                node.kill().forEach(all::add);
            }
        }

        for (int i = 1; i < all.size(); i++) {
            if (all.get(i) <= all.get(i - 1)) {
                throw new AssertionError(
                        "id " + i + " of seed " + seed + ": " + all.get(i) + " after " + all.get(i - 1));
            }
        }
        System.out.println("crash run: seed=" + seed + " kills=" + KILLS + " ids=" + all.size());
    }
}

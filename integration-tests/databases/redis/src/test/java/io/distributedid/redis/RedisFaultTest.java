package io.distributedid.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.CrashNode;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.RedisServer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes take 200,000 ids while their server is killed, loses what it had not written, or hands the counter over
 * to another one: none twice.
 */
@Needs(Need.REDIS)
class RedisFaultTest {

    private static final int FAULTS = 3;

    private static final int IDS = 200_000;

    /** Each process takes at least so many between two faults. */
    private static final int IDS_BETWEEN = IDS / FAULTS / 3;

    @TempDir
    Path folder;

    private interface Fault {

        void happen(Random random) throws InterruptedException;
    }

    /** Ids for which no answer came are gaps; all others are on the disk. */
    @Test
    void aServerThatIsKilledGivesNoIdTwice() throws Exception {
        RedisServer server = RedisServers.start();
        run("always", RedisServers.settings(server.url()), random -> {
            server.kill9();
            server.restart();
        });
    }

    /** The server stops as a machine without power does: what it wrote last is not on the disk. */
    @Test
    void aServerThatLosesItsLastSecondGivesNoIdTwice() throws Exception {
        RedisServer server = RedisServers.start("--appendfsync", "everysec");
        run("everysec", RedisServers.settings(server.url(), "redis.durability", "may_lose"), random -> {
            server.copyData();
            Thread.sleep(random.nextInt(1_000));
            server.loseData();
        });
    }

    /** Redis moves one of the two keys after the other. */
    @Test
    void aSlotThatMovesToAnotherServerGivesNoIdTwice() throws Exception {
        RedisCluster cluster = RedisCluster.ofMasters();
        run("resharding", RedisServers.settings(cluster.url()), random -> cluster.moveSlot("distributedid:{photos}"));
    }

    private void run(String name, Map<String, String> settings, Fault fault) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        settings.put("distributedid.block.max", "100");
        settings.put("distributedid.block.timeout", "2m");
        long[] ids;
        try (CrashNode first = CrashNode.start(folder, settings, "photos");
                CrashNode second = CrashNode.start(folder, settings, "photos")) {
            for (int i = 0; i < FAULTS; i++) {
                awaitMore(first, random.nextInt(IDS_BETWEEN));
                awaitMore(second, random.nextInt(IDS_BETWEEN));
                fault.happen(random);
            }
            awaitMore(first, IDS_BETWEEN);
            awaitMore(second, IDS_BETWEEN);
            Await.until(
                    IDS + " ids are taken",
                    () -> first.taken() + second.taken() >= IDS,
                    () -> first.taken() + " and " + second.taken() + "; " + first.log() + second.log());
            ids = LongStream.concat(first.kill(), second.kill()).toArray();
        }
        Arrays.sort(ids);
        System.out.println("redis fault run: " + name + " seed=" + seed + " faults=" + FAULTS + " ids=" + ids.length
                + " highest=" + ids[ids.length - 1]);

        assertThat(LongStream.of(ids).distinct().count())
                .as("distinct ids, seed " + seed)
                .isEqualTo(ids.length);
        assertThat(ids.length).isGreaterThanOrEqualTo(IDS);
        assertThat(ids[ids.length - 1]).as("one jump for each start").isLessThan((FAULTS + 2) * 20_000_000L);
    }

    private static void awaitMore(CrashNode node, int count) {
        int before = node.taken();
        Await.until(
                "the node has taken " + count + " more ids",
                () -> {
                    assertThat(node.isAlive())
                            .as(() -> "the node runs; it printed: " + node.log())
                            .isTrue();
                    return node.taken() - before > count;
                },
                () -> node.taken() - before + " ids; it printed: " + node.log());
    }
}

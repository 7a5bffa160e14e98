package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.IdTime;
import io.distributedid.testkit.ShardNode.Taken;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every source of ids with shards must do: four processes that write to many shards. */
public abstract class ShardContract {

    private static final int PROCESSES = 4;

    @TempDir
    Path folder;

    /** For a sequence {@code rows} with ids that carry a shard. */
    protected abstract Map<String, String> settings();

    /** The database that makes the ids, with a schema {@code shard_7} for each shard; empty if it makes none. */
    protected String url() {
        return "";
    }

    /** How many shards there are. */
    protected int shards() {
        return 2_000;
    }

    /** How many ids the processes take together. */
    protected int ids() {
        return 1_000_000;
    }

    /** How far ids may run ahead of the clock. */
    protected abstract Duration maxAhead();

    /** Whether the ids that one process gets for one shard ascend. */
    protected boolean ascends() {
        return true;
    }

    @Test
    void idsOfFourProcessesAreUniqueOnTheirShardAndInOrderOfTime() throws Exception {
        long seed = System.nanoTime();
        List<ShardNode> nodes = new ArrayList<>();
        int each = ids() / PROCESSES;
        long[] all = new long[PROCESSES * each];
        int count = 0;
        try (DistributedIds ids = DistributedIds.create(PatientSettings.of(settings()))) {
            for (int process = 0; process < PROCESSES; process++) {
                nodes.add(ShardNode.start(folder, settings(), url(), shards(), each, seed + process));
            }
            for (ShardNode node : nodes) {
                List<Taken> taken = node.taken();
                assertThat(taken).hasSize(each);
                requireShardAndTime(taken, ids.shard("rows"), ids.time("rows"), seed);
                for (Taken one : taken) {
                    all[count] = one.id();
                    count++;
                }
            }
        } finally {
            nodes.forEach(ShardNode::close);
        }
        Arrays.sort(all);

        for (int i = 1; i < all.length; i++) {
            if (all[i] == all[i - 1]) {
                throw new AssertionError("twice, with seed " + seed + ": " + all[i]);
            }
        }
    }

    /**
     * If an id's time is at least the clock's before the call, and at most {@code maxAhead} above the clock's after it,
     * then of two ids whose calls lie further apart the later one is larger, whoever made them.
     */
    private void requireShardAndTime(List<Taken> taken, IdShard shard, IdTime time, long seed) {
        Map<Long, Long> last = new HashMap<>();
        long unit = time.unit().toMillis();
        for (Taken each : taken) {
            long millis = time.instant(each.id()).toEpochMilli();
            Long previous = last.put(each.shard(), each.id());
            boolean inOrder = previous == null || !ascends() || previous < each.id();
            boolean inTime = millis > each.before() - unit
                    && millis <= each.after() + maxAhead().toMillis();
            if (shard.of(each.id()) != each.shard() || !inOrder || !inTime) {
                throw new AssertionError("seed " + seed + ": " + each + " of shard " + shard.of(each.id()) + " at "
                        + millis + " after " + previous);
            }
        }
    }
}

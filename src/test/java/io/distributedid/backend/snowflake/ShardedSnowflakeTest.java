package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.spi.IdShard;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Snowflake ids that each carry the shard of their row. */
class ShardedSnowflakeTest {

    private static Map<String, Object> settings(Object... more) {
        Map<String, Object> settings = new LinkedHashMap<>(Map.of(
                "distributedid.backend", "snowflake",
                "distributedid.snowflake.layout", "sharded",
                "distributedid.snowflake.worker", "63",
                "distributedid.shard.from", "caller"));
        for (int i = 0; i < more.length; i += 2) {
            settings.put((String) more[i], more[i + 1]);
        }
        return settings;
    }

    @Test
    void anIdCarriesItsShardAndSortsByTime() {
        try (DistributedIds ids = DistributedIds.create(settings())) {
            List<Long> made = new ArrayList<>();
            for (long shard = 0; shard < 2048; shard++) {
                long id = ids.nextOnShard("photos", shard);
                made.add(id);
                assertThat(ids.shard("photos").of(id)).isEqualTo(shard);
                assertThat(ids.decode("photos", id).field("shard")).isEqualTo(shard);
                assertThat(ids.decode("photos", id).field("worker")).isEqualTo(63);
            }

            assertThat(made).doesNotHaveDuplicates();
            assertThat(made.stream().map(id -> id >>> 22)).isSorted();
        }
    }

    @Test
    void aRouterNeedsNoOpenSequence() {
        Map<String, Object> settings = settings();
        settings.remove("distributedid.snowflake.worker");
        try (DistributedIds ids = DistributedIds.create(settings)) {
            assertThat(ids.shard("photos")).isEqualTo(new IdShard(11, 11));
            assertThat(ids.shard("photos").of((5L << 22) | (1341L << 11) | 77)).isEqualTo(1341);
        }
    }

    /** The figures of Instagram's engineers, 2012. */
    @Test
    void instagramsExampleLiesOnItsShard() {
        try (DistributedIds ids = DistributedIds.create(
                Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.layout", "instagram"))) {
            long id = 1387263000L << 23 | 1341L << 10 | 5001 % 1024;

            assertThat(ids.shard("photos").of(id)).isEqualTo(31341 % 2000);
        }
    }

    @Test
    void withoutItsShardNoIdIsMade() {
        try (DistributedIds ids = DistributedIds.create(settings())) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("The ids of this sequence carry a shard, which must be given:"
                            + " DistributedIds.nextOnShard(sequence, shard), or distributedid.shard.from for entities");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 16, 2048, Long.MAX_VALUE})
    void aShardThatThereIsNotIsRefused(long shard) {
        try (DistributedIds ids = DistributedIds.create(settings("distributedid.shard.count", 16))) {
            assertThatThrownBy(() -> ids.nextOnShard("photos", shard))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "A shard must exist: shard=" + shard + ", allowed: 0 to 15 (distributedid.shard.count)");
        }
    }

    @Test
    void aLayoutWithoutWorkerIsRefused() {
        assertRefused(
                settings("distributedid.snowflake.layout", "instagram"),
                "distributedid.shard.from=caller, allowed: layouts with a worker, such as sharded: without a worker,"
                        + " two processes that write to the same shard would make the same ids: time(ms):40, shard:13,"
                        + " sequence:10 from 2011-08-24T21:07:01.721Z until 2046");
    }

    @Test
    void aLayoutWithoutShardIsRefused() {
        assertRefused(
                settings("distributedid.snowflake.layout", "snowflake"),
                "distributedid.shard.from=caller, allowed: nothing, since the ids of sequence 'photos'"
                        + " (DistributedIds) carry no"
                        + " shard: leave distributedid.seq.photos.shard.from empty, or choose a layout with a shard");
    }

    @Test
    void aBackendWithoutShardsIsRefused() {
        assertRefused(
                settings("distributedid.seq.photos.backend", "ticket", "distributedid.ticket.servers", "jdbc:h2:mem:t"),
                "distributedid.shard.from=caller, allowed: nothing, since the ids of sequence 'photos'"
                        + " (DistributedIds) carry no"
                        + " shard: leave distributedid.seq.photos.shard.from empty, or choose a layout with a shard");
    }

    @Test
    void aShardForAllIdsBesideOneForEachIsRefused() {
        assertRefused(
                settings("distributedid.snowflake.shard", 5),
                "distributedid.snowflake.shard=5, allowed: nothing, since each id has a shard of its own:"
                        + " distributedid.shard.from=caller");
    }

    private static void assertRefused(Map<String, Object> settings, String message) {
        try (DistributedIds ids = DistributedIds.create(settings)) {
            assertThatThrownBy(() -> ids.nextOnShard("photos", 1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A setting has a value that is not allowed: " + message);
        }
    }

    @Test
    void oneSequenceCanBeWithoutShards() {
        try (DistributedIds ids = DistributedIds.create(settings(
                "distributedid.seq.accounts.shard.from",
                "",
                "distributedid.seq.accounts.snowflake.layout",
                "snowflake"))) {
            assertThat(ids.next("accounts")).isPositive();
            assertThatThrownBy(() -> ids.nextOnShard("accounts", 1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("The ids of a sequence must each have a shard of their own: seq=accounts."
                            + " Set distributedid.shard.from=caller, or leave out the shard");
            assertThatThrownBy(() -> ids.shard("accounts").of(1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage(
                            "The ids of a sequence must carry a shard: seq=accounts, allowed: sequences whose layout"
                                    + " has"
                                    + " that field (distributedid.snowflake.layout=sharded)");
        }
    }
}

package io.distributedid.internal.settings;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import io.distributedid.spi.ShardResolver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The settings that do not belong to one backend. */
public final class CoreSettings {

    /** What to do with a sequence that lies below the existing ids of its tables. */
    public enum ExistingIds {
        REFUSE,
        RAISE,
        IGNORE
    }

    /** When a SessionFactory opens its sequences. */
    public enum Opening {
        START,
        LAZY
    }

    /** What to do with settings of a sequence that no entity uses. */
    public enum UnusedSequences {
        WARN,
        REFUSE,
        IGNORE
    }

    public static final Setting<String> BACKEND = Setting.text(
            "distributedid.backend", "the name of a backend, or the class name of a BackendProvider");

    public static final Setting<ExistingIds> EXISTING_IDS =
            Setting.choice("distributedid.existing_ids", ExistingIds.REFUSE);

    public static final Setting<Duration> EXISTING_IDS_TIMEOUT =
            Setting.duration("distributedid.existing_ids_timeout", ofSeconds(2), ofSeconds(1), ofMinutes(10));

    public static final Setting<Opening> OPEN = Setting.choice("distributedid.open", Opening.START);

    public static final Setting<UnusedSequences> UNUSED_SEQUENCES =
            Setting.choice("distributedid.unused_sequences", UnusedSequences.WARN);

    public static final Setting<Long> BLOCK_MIN = Setting.number("distributedid.block.min", 16, 1, 10_000_000);

    public static final Setting<Long> BLOCK_MAX =
            Setting.number("distributedid.block.max", 100_000, 1, 10_000_000);

    public static final Setting<Optional<Duration>> BLOCK_MAX_AGE = Setting.duration(
                    "distributedid.block.max_age", ofSeconds(10), ofSeconds(1), ofHours(24))
            .orWord("off");

    public static final Setting<Duration> BLOCK_TIMEOUT =
            Setting.duration("distributedid.block.timeout", ofSeconds(10), ofMillis(10), ofMinutes(10));

    public static final Setting<String> SHARD_FROM = Setting.text(
                    "distributedid.shard.from",
                    "tenant, entity.<property> (as in entity.userId), same_as.<property> (as in same_as.photo), caller")
            .withWords(List.of("tenant", "caller"));

    public static final Setting<Long> SHARD_COUNT =
            Setting.number("distributedid.shard.count", 1, Long.MAX_VALUE).defaultIs("what the field holds");

    public static final Setting<String> SHARD_PATTERN = Setting.text(
                    "distributedid.shard.pattern", "a regular expression with one group, as in shard_(\\d+)")
            .withDefault("(\\d+)");

    public static final Setting<Object> SHARD_RESOLVER =
            Setting.object("distributedid.shard.resolver", ShardResolver.class);

    /** Declared here, because Hibernate's glue reads it for each source that makes ids on the session's connection. */
    public static final Setting<Long> NEXT_ID_BATCH = Setting.number("distributedid.next_id.batch", 50, 1, 1000);

    /** Declared here, because the command line reads it too. */
    public static final Setting<String> SNOWFLAKE_WORKER = Setting.text(
                    "distributedid.snowflake.worker",
                    "lease, a number, statefulset:NAME, single_use or exclusive")
            .withWords(List.of("lease", "single_use", "exclusive"));

    /** All except those that belong to a backend. */
    public static final List<Setting<?>> ALL = List.of(
            BACKEND,
            EXISTING_IDS,
            EXISTING_IDS_TIMEOUT,
            OPEN,
            UNUSED_SEQUENCES,
            BLOCK_MIN,
            BLOCK_MAX,
            BLOCK_MAX_AGE,
            BLOCK_TIMEOUT,
            SHARD_FROM,
            SHARD_COUNT,
            SHARD_PATTERN,
            SHARD_RESOLVER);

    private CoreSettings() {}

    /** The number of shards. The default is {@code most}, what the field of the ids can hold. */
    public static long shards(Settings settings, long most) {
        return settings.get(SHARD_COUNT.within(1L, most).withDefault(most));
    }
}

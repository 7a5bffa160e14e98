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
            "distributedid.backend",
            "Where ids come from: ticket, sequence_table, redis, snowflake, next_id, remote, for tests memory, or"
                    + " another installed backend.",
            "the name of a backend, or the class name of a BackendProvider");

    public static final Setting<Duration> TIMEOUT = Setting.duration(
            "distributedid.timeout",
            "Limits the time to connect to a server of ids, numbers per key or leases, and the time of each answer."
                    + " Where this process holds a lease, the limit is at most a third of the lease.",
            ofSeconds(2),
            ofMillis(100),
            ofMinutes(1));

    public static final Setting<Boolean> CREATE_TABLES = Setting.flag(
            "distributedid.create_tables",
            "Whether to create missing tables of ids, numbers per key and leases. Otherwise a missing table is an"
                    + " error.",
            false);

    public static final Setting<ExistingIds> EXISTING_IDS = Setting.choice(
            "distributedid.existing_ids",
            "What to do if a sequence lies below the ids in its tables at start: fail, raise the counter (or wait for"
                    + " the clock, where ids hold the time), or not read the tables.",
            ExistingIds.REFUSE);

    public static final Setting<Duration> EXISTING_IDS_TIMEOUT = Setting.duration(
            "distributedid.existing_ids_timeout",
            "Limits each query for the existing ids at start. A column that takes longer is not compared, and a warning"
                    + " says so.",
            ofSeconds(2),
            ofSeconds(1),
            ofMinutes(10));

    public static final Setting<Opening> OPEN = Setting.choice(
            "distributedid.open",
            "When the sequences of the entities are opened: when the SessionFactory is created, or each at its first"
                    + " id, without a comparison with existing ids. Applies to all sequences.",
            Opening.START);

    public static final Setting<UnusedSequences> UNUSED_SEQUENCES = Setting.choice(
            "distributedid.unused_sequences",
            "What to do with settings of a sequence that no entity uses: its name is most likely misspelt. ignore is"
                    + " for a sequence that the application uses without an entity.",
            UnusedSequences.WARN);

    public static final Setting<Long> BLOCK_MIN = Setting.number(
            "distributedid.block.min", "The fewest ids reserved at once, at most block.max.", 16, 1, 10_000_000);

    public static final Setting<Long> BLOCK_MAX = Setting.number(
            "distributedid.block.max",
            "The most ids reserved at once; the size follows the rate. With 1, the strict mode, each id is fetched when"
                    + " a caller asks for it, in the order of the server.",
            100_000,
            1,
            10_000_000);

    public static final Setting<Optional<Duration>> BLOCK_MAX_AGE = Setting.duration(
                    "distributedid.block.max_age",
                    "How long after its reservation an id may be handed out. Ids of all processes are in time order"
                            + " within that bound; off removes it.",
                    ofSeconds(10),
                    ofSeconds(1),
                    ofHours(24))
            .orWord("off");

    public static final Setting<Duration> BLOCK_TIMEOUT = Setting.duration(
            "distributedid.block.timeout",
            "How long callers wait while no server answers, from the beginning of the outage: later callers get an"
                    + " error at once. A start waits as long for its servers.",
            ofSeconds(10),
            ofMillis(10),
            ofMinutes(10));

    public static final Setting<String> SHARD_FROM = Setting.text(
                    "distributedid.shard.from",
                    "Where the logical shard of a row comes from, so that its id carries the number: Hibernate's"
                            + " tenant, a property of the entity, the key of another entity, or the caller.",
                    "tenant, entity.<property> (as in entity.userId), same_as.<property> (as in same_as.photo), caller")
            .withWords(List.of("tenant", "caller"));

    public static final Setting<Long> SHARD_COUNT = Setting.number(
                    "distributedid.shard.count",
                    "The number of logical shards. Needed if the shard is the remainder of a property; then it must"
                            + " never change once there are rows.",
                    1,
                    Long.MAX_VALUE)
            .defaultIs("what the field holds");

    public static final Setting<String> SHARD_PATTERN = Setting.text(
                    "distributedid.shard.pattern",
                    "Finds the shard's number in a tenant identifier.",
                    "a regular expression with one group, as in shard_(\\d+)")
            .withDefault("(\\d+)");

    public static final Setting<Object> SHARD_RESOLVER = Setting.object(
            "distributedid.shard.resolver",
            "The application's own rule for shards, in place of pattern and remainder.",
            ShardResolver.class);

    /** Declared here, because Hibernate's glue reads it for each source that makes ids on the session's connection. */
    public static final Setting<Long> NEXT_ID_BATCH = Setting.number(
            "distributedid.next_id.batch",
            "The most ids that a session asks the function for in one round trip.",
            50,
            1,
            1000);

    /** Declared here, because the command line reads it too. */
    public static final Setting<String> SNOWFLAKE_WORKER = Setting.text(
                    "distributedid.snowflake.worker",
                    "The worker number in the ids of this process, which no other process may have at the same time:"
                            + " leased, fixed, or the ordinal of a pod. With exclusive, one process at a time makes"
                            + " ids, in strict order and without a number.",
                    "lease, a number, statefulset:NAME, single_use or exclusive")
            .withWords(List.of("lease", "single_use", "exclusive"));

    /** All except those that a backend reads. */
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

    /** The limit of each answer of a store with a lease. The lease leaves time for a second call. */
    public static Duration timeout(Settings settings, Duration lease) {
        Duration third = lease.dividedBy(3);
        Duration timeout = settings.get(TIMEOUT);
        return timeout.compareTo(third) < 0 ? timeout : third;
    }

    /** The number of shards. The default is {@code most}, what the field of the ids can hold. */
    public static long shards(Settings settings, long most) {
        return settings.get(SHARD_COUNT.within(1L, most).withDefault(most));
    }
}

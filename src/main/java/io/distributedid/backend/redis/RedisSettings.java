package io.distributedid.backend.redis;

import io.distributedid.internal.counter.CountingSettings;
import io.distributedid.spi.Setting;
import java.util.List;

/** The settings of Redis. */
final class RedisSettings {

    /** What becomes of ids that a client has got, if the server stops at once. */
    enum Durability {
        /** The server writes each change to its disk before it answers. A server that does not is refused. */
        ALWAYS,
        /** The server may lose the last ones. After each restart of it, counters jump. */
        MAY_LOSE
    }

    static final String URLS = "URLs of Redis separated by commas: redis://host:6379, rediss://host:6379 with TLS,"
            + " redis-sentinel://host:26379,host2:26379/0#master-name, redis-cluster://host:6379,host2:6379";

    static final CountingSettings COUNTING = new CountingSettings(
            Setting.list(
                    "distributedid.redis.servers",
                    "The servers of Redis or Valkey, in order. Several divide the ids between them, and any of them is"
                            + " enough; a master with its replicas, or a cluster, counts as one server.",
                    URLS),
            "servers of Redis");

    static final Setting<Durability> DURABILITY = Setting.choice(
            "distributedid.redis.durability",
            "Whether to refuse a server that does not write each change to its disk before it answers. With may_lose"
                    + " such a server is used, and counters jump after each of its restarts, see failover.",
            Durability.ALWAYS);

    static final Setting<String> KEY = Setting.text(
                    "distributedid.redis.key",
                    "The prefix of the keys in Redis.",
                    "up to 100 letters, digits, '_', '-', '.' and ':', no '-' in front")
            .withDefault("distributedid");

    static final Setting<Long> START = COUNTING.start();

    static final Setting<String> TRUST = Setting.text(
                    "distributedid.redis.trust",
                    "The certificates to trust for rediss:// servers.",
                    "the path of a PEM file")
            .defaultIs("those that the JVM trusts");

    static final List<Setting<?>> ALL = COUNTING.and(DURABILITY, KEY, START, TRUST);

    private RedisSettings() {}
}

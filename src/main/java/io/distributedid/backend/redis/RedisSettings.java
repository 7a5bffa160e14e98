package io.distributedid.backend.redis;

import io.distributedid.internal.counter.CountingSettings;
import io.distributedid.spi.Setting;
import java.util.List;

/** The settings of Redis. */
final class RedisSettings {

    static final String URLS = "URLs of Redis separated by commas: redis://host:6379, rediss://host:6379 with TLS,"
            + " redis-sentinel://host:26379,host2:26379/0#master-name, redis-cluster://host:6379,host2:6379";

    static final CountingSettings COUNTING =
            CountingSettings.of(Setting.list("distributedid.redis.servers", URLS));

    static final Setting<Durability> DURABILITY =
            Setting.choice("distributedid.redis.durability", Durability.ALWAYS);

    static final Setting<String> KEY = Setting.text(
                    "distributedid.redis.key", "up to 100 letters, digits, '_', '-', '.' and ':'")
            .withDefault("distributedid");

    static final Setting<Long> START = Setting.number("distributedid.redis.start", 1, 1, Long.MAX_VALUE / 2);

    static final Setting<String> TRUST = Setting.text("distributedid.redis.trust", "the path of a PEM file");

    /** Redis has no tables to create. */
    static final List<Setting<?>> ALL = COUNTING.and(DURABILITY, KEY, START, TRUST).stream()
            .<Setting<?>>map(each -> each)
            .filter(each -> !each.name().equals(COUNTING.createTable().name()))
            .toList();

    private RedisSettings() {}
}

package io.distributedid.backend.redis;

import io.distributedid.DistributedIdSettings;
import io.distributedid.internal.counter.CountingSettings;
import io.distributedid.spi.Setting;
import java.util.List;

/** The settings of Redis. */
final class RedisSettings {

    static final String URLS = "URLs of Redis separated by commas: redis://host:6379, rediss://host:6379 with TLS,"
            + " redis-sentinel://host:26379,host2:26379/0#master-name, redis-cluster://host:6379,host2:6379";

    static final CountingSettings COUNTING =
            CountingSettings.of(Setting.list(DistributedIdSettings.REDIS_SERVERS, URLS));

    static final Setting<Durability> DURABILITY =
            Setting.choice(DistributedIdSettings.REDIS_DURABILITY, Durability.ALWAYS);

    static final Setting<String> KEY = Setting.text(
                    DistributedIdSettings.REDIS_KEY, "up to 100 letters, digits, '_', '-', '.' and ':'")
            .withDefault("distributedid");

    static final Setting<Long> START = Setting.number(DistributedIdSettings.REDIS_START, 1, 1, Long.MAX_VALUE / 2);

    static final Setting<String> TRUST = Setting.text(DistributedIdSettings.REDIS_TRUST, "the path of a PEM file");

    /** Redis has no tables to create. */
    static final List<Setting<?>> ALL = COUNTING.and(DURABILITY, KEY, START, TRUST).stream()
            .<Setting<?>>map(each -> each)
            .filter(each -> !each.name().equals(COUNTING.createTable().name()))
            .toList();

    private RedisSettings() {}
}

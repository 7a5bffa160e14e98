package io.distributedid.backend.redis;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.CountingSettings;
import io.distributedid.internal.counter.CountingStore;
import io.distributedid.internal.counter.Failover;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.internal.process.OptionalLibrary;
import io.distributedid.spi.Settings;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Counters in Redis or Valkey. The key {@code distributedid:{photos}} is a table of one counter, with its
 * {@link RedisChange ledger} beside it; a block of ids is one run of a script, see {@link RedisSession}. N servers
 * divide the numbers between them: server i counts from i in steps of N.
 *
 * <p>Redis loses changes more easily than a database: at a crash, unless it writes each change to its disk, and at a
 * failover, since its replicas lag. So a server that may lose changes at a crash is refused, or the application says
 * {@link RedisSettings.Durability#MAY_LOSE}; and a server that has started anew, or a replica that was promoted, has
 * another identity, and its counters are raised.
 */
final class RedisStore implements CountingStore {

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_.:][A-Za-z0-9_.:-]{0,99}");

    @Override
    public CountingSettings settings() {
        return RedisSettings.COUNTING;
    }

    @Override
    public List<Object> furtherConfiguration(Settings settings) {
        return List.of(settings.get(RedisSettings.DURABILITY), settings.find(RedisSettings.TRUST));
    }

    /** In a cluster, the part in braces decides on the slot, so a script may use both keys of a counter. */
    @Override
    public CounterKey key(Settings settings, String sequence) {
        String prefix = settings.get(RedisSettings.KEY);
        if (!PREFIX.matcher(prefix).matches()) {
            throw settings.invalid(RedisSettings.KEY, prefix, RedisSettings.KEY.allowed());
        }
        return new CounterKey(prefix + ":{" + sequence + "}", "", sequence);
    }

    @Override
    public long start(Settings settings) {
        return settings.get(RedisSettings.START);
    }

    @Override
    public List<? extends Link.Source<CounterSession>> servers(Settings settings) {
        RedisSettings.Durability durability = settings.get(RedisSettings.DURABILITY);
        if (durability == RedisSettings.Durability.MAY_LOSE
                && settings.get(CountingSettings.FAILOVER) == Failover.LOSSLESS) {
            throw settings.invalid(
                    CountingSettings.FAILOVER,
                    "lossless",
                    "raise or refuse with " + settings.writtenAs(RedisSettings.DURABILITY) + "=may_lose");
        }
        return OptionalLibrary.use(
                RedisStore.class, "distributedid.backend=redis needs Lettuce", "io.lettuce:lettuce-core", () -> {
                    List<RedisAddress> addresses = RedisAddress.all(settings);
                    int size = addresses.size();
                    return IntStream.range(0, size)
                            .mapToObj(i -> new RedisSource(addresses.get(i), new Numbering(size, i + 1L), durability))
                            .toList();
                });
    }
}

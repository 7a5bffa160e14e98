package io.distributedid.backend.redis;

import io.distributedid.DecodedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.CounterStore;
import io.distributedid.internal.counter.CountingSettings;
import io.distributedid.internal.counter.DriftLimit;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.spi.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Counters in Redis or Valkey. A block of n ids is one run of a script, see {@link RedisCounter}. N servers divide the
 * numbers between them: server i counts from i in steps of N.
 *
 * <p>Redis loses changes more easily than a database: at a crash, unless it writes each change to its disk, and at a
 * failover, since its replicas lag. So a server that may lose changes at a crash is refused, or the application says
 * {@link Durability#MAY_LOSE}; and a server that has started anew, or a replica that was promoted, is raised, see
 * {@link DriftLimit.Failover}.
 */
final class RedisStore implements CounterStore<RedisKey> {

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_.:-]{1,100}");

    @Override
    public CountingSettings settings() {
        return RedisSettings.COUNTING;
    }

    @Override
    public List<Object> furtherConfiguration(Settings settings) {
        return List.of(settings.get(RedisSettings.DURABILITY), settings.find(RedisSettings.TRUST));
    }

    @Override
    public RedisKey key(Settings settings, String sequence) {
        String prefix = settings.get(RedisSettings.KEY);
        if (!PREFIX.matcher(prefix).matches()) {
            throw settings.invalid(RedisSettings.KEY, prefix, RedisSettings.KEY.allowed());
        }
        return new RedisKey(prefix, sequence);
    }

    @Override
    public long start(Settings settings) {
        return settings.get(RedisSettings.START);
    }

    @Override
    public Connector<RedisKey> connector(Settings settings, Optional<Connector<RedisKey>> former, boolean createTable) {
        Durability durability = settings.get(RedisSettings.DURABILITY);
        if (durability == Durability.MAY_LOSE
                && settings.get(CountingSettings.FAILOVER) == DriftLimit.Failover.LOSSLESS) {
            throw settings.invalid(
                    CountingSettings.FAILOVER,
                    "lossless",
                    "raise or refuse with " + settings.writtenAs(RedisSettings.DURABILITY) + "=may_lose");
        }
        // Lettuce is on the class path even where this is a module.
        RedisStore.class.getModule().addReads(RedisStore.class.getClassLoader().getUnnamedModule());
        try {
            return new Servers(RedisAddress.all(settings), durability);
        } catch (NoClassDefFoundError e) {
            throw new IdConfigurationException(
                    "A library is missing: distributedid.backend=redis needs Lettuce. Add io.lettuce:lettuce-core to"
                            + " the class path",
                    e);
        }
    }

    /** The id is a plain number without fields. */
    @Override
    public DecodedId decode(long id, long step) {
        return new DecodedId(id, null, Map.of());
    }

    private record Servers(List<RedisAddress> addresses, Durability durability) implements Connector<RedisKey> {

        @Override
        public List<Link.Source<CounterSession<RedisKey>>> servers() {
            List<Link.Source<CounterSession<RedisKey>>> servers = new ArrayList<>();
            for (RedisAddress address : addresses) {
                Numbering numbering = new Numbering(addresses.size(), servers.size() + 1L);
                servers.add(new RedisSource(address, numbering, durability));
            }
            return servers;
        }
    }
}

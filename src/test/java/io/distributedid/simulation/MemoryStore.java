package io.distributedid.simulation;

import io.distributedid.DecodedId;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.CounterStore;
import io.distributedid.internal.counter.CountingSettings;
import io.distributedid.internal.counter.DriftLimit.Behind;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a process is configured with: addresses of servers, in their order. */
final class MemoryStore implements CounterStore<MemoryKey> {

    static final CountingSettings SETTINGS = new CountingSettings(
            Setting.servers("distributedid.memory_servers.servers", "The servers."),
            Setting.text("distributedid.memory_servers.user", "Their user.", "a user"),
            Setting.password("distributedid.memory_servers.password", "Its password."),
            Setting.number("distributedid.memory_servers.connections", "Connections to each server.", 1, 1, 8),
            Setting.choice(
                    "distributedid.memory_servers.behind", "What to do with a server that lags.", Behind.REFUSE));

    private final Setup setup;

    private final List<Link.Source<CounterSession<MemoryKey>>> servers;

    MemoryStore(Setup setup, List<Address> servers) {
        this.setup = setup;
        this.servers = servers.stream()
                .map(each -> each.<CounterSession<MemoryKey>>source(
                        (server, atMost) -> new MemorySession(each, server, atMost)))
                .toList();
    }

    @Override
    public CountingSettings settings() {
        return SETTINGS;
    }

    @Override
    public MemoryKey key(Settings settings, String sequence) {
        return setup.key(sequence);
    }

    @Override
    public long largest(MemoryKey key) {
        return setup.columnEnd(key.sequence());
    }

    @Override
    public Connector<MemoryKey> connector(
            Settings settings, Optional<Connector<MemoryKey>> former, boolean createTable) {
        return () -> servers;
    }

    @Override
    public DecodedId decode(long id, long step) {
        return new DecodedId(id, null, Map.of());
    }
}

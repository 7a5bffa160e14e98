package io.distributedid.simulation;

import io.distributedid.DecodedId;
import io.distributedid.internal.counting.CounterKey;
import io.distributedid.internal.counting.CounterSession;
import io.distributedid.internal.counting.CountingSettings;
import io.distributedid.internal.counting.CountingStore;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.List;
import java.util.Map;

/** What a process is configured with: addresses of servers, in their order. */
record LedgerStore(Scene scene, List<Address> addresses) implements CountingStore {

    private static final CountingSettings SETTINGS = new CountingSettings(
            Setting.servers("distributedid.memory_servers.servers", "The servers."),
            Setting.text("distributedid.memory_servers.user", "Their user.", "a user"),
            Setting.password("distributedid.memory_servers.password", "Its password."));

    @Override
    public CountingSettings settings() {
        return SETTINGS;
    }

    @Override
    public CounterKey key(Settings settings, String sequence) {
        return scene.setup().key(sequence).counter();
    }

    @Override
    public List<Link.Source<CounterSession>> servers(Settings settings) {
        return addresses.stream()
                .map(each -> each.<CounterSession>source(
                        (server, atMost) -> new LedgerSession(scene, addresses, each, server, atMost)))
                .toList();
    }

    @Override
    public DecodedId decode(long id, long step) {
        return new DecodedId(id, null, Map.of());
    }
}

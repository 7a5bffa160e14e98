package io.distributedid.simulation;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.CountingSettings;
import io.distributedid.internal.counter.CountingStore;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a process is configured with: addresses of servers, in their order. */
record LedgerStore(Scene scene, List<Address> addresses) implements CountingStore {

    private static final CountingSettings SETTINGS = new CountingSettings(
            Setting.servers("distributedid.memory_servers.servers", "The servers."), "servers in memory");

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
        List<Address> listed = settings.given(SETTINGS.user())
                .map(numbers -> scene.addresses(addresses.get(0).client(), scene.listed(numbers(numbers.toString()))))
                .orElse(addresses);
        return listed.stream()
                .map(each -> each.<CounterSession>source(
                        (server, atMost) -> new LedgerSession(scene, listed, each, server, atMost)))
                .toList();
    }

    /** For a command: the settings name servers by their numbers. */
    static Map<String, String> settings(List<Integer> servers) {
        return Map.of(
                SETTINGS.user().name(), servers.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }

    private static List<Integer> numbers(String servers) {
        return Stream.of(servers.split(",")).map(Integer::valueOf).toList();
    }
}

package io.distributedid.internal.counter;

import io.distributedid.CounterMove;
import io.distributedid.internal.block.RecordedRequest;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The backend over servers in memory, as one process has it. */
final class MemoryCounters implements BackendContext, CountingStore {

    static final Setting<String> SERVERS = Setting.text("distributedid.my.servers", "The servers.", "letters");

    static final Setting<String> TABLE =
            Setting.text("distributedid.my.table", "The table.", "a name").withDefault("sequence");

    /** Advances the clock of all that was made of it. */
    final AtomicLong nanos = new AtomicLong();

    final List<MemoryServer> servers = new ArrayList<>();

    final Map<String, String> settings = new LinkedHashMap<>();

    final Map<String, BlockSource> sources = new LinkedHashMap<>();

    /** Whether all sequences draw from one counter. */
    boolean isShared;

    /** Whether each server has a number of its own, whatever the list: as ticket servers that number themselves. */
    boolean isNumberedByServers;

    private @Nullable Backend former;

    private CountingBackend backend;

    MemoryCounters(List<MemoryServer> servers) {
        this.servers.addAll(servers);
        settings.put("distributedid.block.timeout", "100ms");
        settings.put(CountingSettings.MAX_DISTANCE.name(), "1000000");
        backend = new CountingBackend(this, this, platform());
    }

    /** Of so many servers, named a, b, and so on, whose counters end soon or not. */
    static MemoryCounters of(int count, long largest) {
        List<MemoryServer> servers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            servers.add(new MemoryServer(String.valueOf((char) ('a' + i)), largest));
        }
        return new MemoryCounters(servers);
    }

    static MemoryCounters of(int count) {
        return of(count, Long.MAX_VALUE);
    }

    /** Another process, with a list of servers by their letters and a table. */
    MemoryCounters other(String list, String table) {
        MemoryCounters other = new MemoryCounters(servers);
        other.settings.put(SERVERS.name(), list);
        other.settings.put(TABLE.name(), table);
        other.isNumberedByServers = isNumberedByServers;
        return other;
    }

    private Platform platform() {
        return () -> System.nanoTime() + nanos.get();
    }

    /** See {@link CountingBackend#move}: of a place that stays. */
    long move(String name, CounterMove move) {
        Sequence sequence = sequence(name);
        return backend.move(List.of(sequence), sequence, move);
    }

    CountingBackend backend() {
        return backend;
    }

    MemoryServer server(String name) {
        return servers.stream()
                .filter(each -> each.label().equals(name))
                .findFirst()
                .orElseThrow();
    }

    Sequence sequence(String name) {
        return new Sequence(name, Long.MAX_VALUE, "Entity.id", Settings.of(settings));
    }

    Counter open(String name) {
        backend.open(sequence(name));
        return (Counter) sources.get(name);
    }

    /** Draws for several sequences in one call. Returns what each got, or what is wrong. */
    Map<String, String> reserve(long wanted, String... sequences) throws InterruptedException {
        Map<String, RecordedRequest> requests = new LinkedHashMap<>();
        for (String name : sequences) {
            requests.put(name, new RecordedRequest((Counter) sources.get(name), wanted));
        }
        ((Counter) sources.get(sequences[0]))
                .group()
                .reserve(
                        requests.values().stream().map(RecordedRequest::request).toList());
        Map<String, String> answers = new LinkedHashMap<>();
        requests.forEach((name, each) -> answers.put(name, each.answer()));
        return answers;
    }

    /** Suspends and resumes. */
    void resume() {
        backend.abandon();
        former = backend;
        backend = new CountingBackend(this, this, platform());
    }

    @Override
    public Optional<Backend> former() {
        return Optional.ofNullable(former);
    }

    @Override
    public InstantSource clock() {
        return InstantSource.system();
    }

    @Override
    public Optional<ConnectionAccess> applicationDatabase() {
        return Optional.empty();
    }

    @Override
    public IdSource buffer(Sequence sequence, BlockSource source) {
        sources.put(sequence.name(), source);
        return () -> {
            throw new AssertionError("Nobody asks it");
        };
    }

    @Override
    public CountingSettings settings() {
        return new CountingSettings(SERVERS, "servers in memory");
    }

    @Override
    public CounterKey key(Settings given, String sequence) {
        return isShared ? new CounterKey("tickets", "", "SEQ") : new CounterKey(given.get(TABLE), sequence, sequence);
    }

    /** The setting names them by their letters; by default all. */
    @Override
    public List<Link.Source<CounterSession>> servers(Settings given) {
        List<MemoryServer> listed = given.find(SERVERS).stream()
                .flatMapToInt(String::chars)
                .mapToObj(each -> server(String.valueOf((char) each)))
                .toList();
        List<MemoryServer> all = listed.isEmpty() ? servers : listed;
        List<Link.Source<CounterSession>> sources = new ArrayList<>();
        all.forEach(each -> sources.add(each.numbered(
                isNumberedByServers
                        ? new Numbering(servers.size(), servers.indexOf(each) + 1L)
                        : new Numbering(all.size(), sources.size() + 1L))));
        return sources;
    }
}

package io.distributedid.simulation;

import io.distributedid.DecodedId;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.CounterStore;
import io.distributedid.internal.counter.CountingSettings;
import io.distributedid.internal.counter.DriftLimit.Behind;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.sql.SQLException;
import java.time.Duration;
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
        this.servers = List.copyOf(servers);
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

    /** Where a process finds a server: as an address, it may lead to another one later. */
    static final class Address implements Link.Source<CounterSession<MemoryKey>> {

        private final Host client;

        private final Host wire;

        private final Network network;

        private final Setup setup;

        private final Numbering numbering;

        private final String label;

        private MemoryServer server;

        /** {@code numbering} is that of the place in the list; the server may have one of its own. */
        Address(Host client, Host wire, Network network, Setup setup, Numbering numbering, MemoryServer server) {
            this.client = client;
            this.wire = wire;
            this.network = network;
            this.setup = setup;
            this.numbering =
                    setup.isNumberedByServer() ? new Numbering(server.increment(), server.offset()) : numbering;
            this.label = server.toString();
            this.server = server;
        }

        Host client() {
            return client;
        }

        /** Delivers what is late. */
        Host wire() {
            return wire;
        }

        Network network() {
            return network;
        }

        Setup setup() {
            return setup;
        }

        Numbering numbering() {
            return numbering;
        }

        MemoryServer server() {
            return server;
        }

        SQLException failed(MemoryServer at, SQLException e) {
            network.failed(client, at);
            return e;
        }

        void leadTo(MemoryServer other) {
            server = other;
        }

        @Override
        public String label() {
            return label;
        }

        @Override
        public Link<CounterSession<MemoryKey>> connect(Duration atMost) throws SQLException {
            World world = client.world();
            world.step(world.random(10_000, 300_000));
            MemoryServer found = server;
            if (found.isHanging()) {
                boolean answers = world.await(() -> !found.isHanging() || !found.isUp(), atMost.toNanos(), true);
                if (!answers) {
                    throw failed(found, Failure.timeout(label));
                }
            }
            if (!found.isUp()) {
                throw failed(found, Failure.refused(label));
            }
            return new MemoryLink(new MemorySession(this, found, atMost));
        }
    }

    private record MemoryLink(MemorySession session) implements Link<CounterSession<MemoryKey>> {

        @Override
        public CounterSession<MemoryKey> open() {
            return session;
        }

        @Override
        public boolean isValid(Duration atMost) throws SQLException {
            return session.isValid();
        }

        @Override
        public void limit(Duration atMost) {
            session.limit(atMost);
        }

        @Override
        public void abort() {
            session.cut();
        }

        @Override
        public void close() {
            session.cut();
        }
    }
}

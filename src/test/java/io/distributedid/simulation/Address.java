package io.distributedid.simulation;

import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.jdbc.Link;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;

/** Where a process finds a server: it may lead to another one later. */
final class Address {

    private final Host client;

    private final Host wire;

    private final Network network;

    private final Setup setup;

    private final Numbering numbering;

    private final String label;

    private MemoryServer server;

    /** The last ids that the process has drawn there, by counter. */
    private final Map<String, Long> drawn = new HashMap<>();

    /** {@code numbering} is that of the place in the list; the server may have one of its own. */
    Address(Host client, Host wire, Network network, Setup setup, Numbering numbering, MemoryServer server) {
        this.client = client;
        this.wire = wire;
        this.network = network;
        this.setup = setup;
        this.numbering = setup.isNumberedByServer() ? new Numbering(server.increment(), server.offset()) : numbering;
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

    /** The process has drawn ids. */
    void drew(String counter, long last) {
        drawn.merge(counter, last, Math::max);
    }

    /** 0 if none. */
    long drawn(String counter) {
        return drawn.getOrDefault(counter, 0L);
    }

    void leadTo(MemoryServer other) {
        server = other;
    }

    /** Opens sessions, each a {@link Line} to the server that is found. */
    <S> Link.Source<S> source(BiFunction<MemoryServer, Duration, S> sessions) {
        return new Link.Source<>() {
            @Override
            public String label() {
                return label;
            }

            @Override
            public Link<S> connect(Duration atMost) throws SQLException {
                S session = sessions.apply(reached(atMost), atMost);
                return new MemoryLink<>((Line) session, session);
            }
        };
    }

    private MemoryServer reached(Duration atMost) throws SQLException {
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
        return found;
    }

    private record MemoryLink<S>(Line line, S session) implements Link<S> {

        @Override
        public S open() {
            return session;
        }

        @Override
        public boolean isValid(Duration atMost) throws SQLException {
            return line.isValid();
        }

        @Override
        public void limit(Duration atMost) {
            line.limit(atMost);
        }

        @Override
        public void abort() {
            line.cut();
        }

        @Override
        public void close() {
            line.cut();
        }
    }
}

package io.distributedid.simulation;

import java.sql.SQLException;
import java.time.Duration;

/**
 * A client's connection to a {@link MemoryServer}. Each request is a trip, before and after which others may act, and
 * which may go wrong.
 */
abstract class Line {

    /** A request that the server does at once. */
    @FunctionalInterface
    interface Request<T> {

        T on(MemoryServer server) throws SQLException;
    }

    final Host client;

    final World world;

    final Address address;

    final MemoryServer server;

    private final int epoch;

    private Duration timeout;

    private boolean isCut;

    Line(Address address, MemoryServer server, Duration timeout) {
        this.address = address;
        this.client = address.client();
        this.world = client.world();
        this.server = server;
        this.epoch = server.epoch();
        this.timeout = timeout;
    }

    Setup setup() {
        return address.setup();
    }

    void limit(Duration atMost) {
        timeout = atMost;
    }

    boolean isValid() throws SQLException {
        return trip("ping", "", on -> true);
    }

    void cut() {
        isCut = true;
    }

    private boolean isBroken() {
        return isCut || !server.isUp() || server.epoch() != epoch;
    }

    /** Sends a request, unless the connection is broken, and returns the answer. */
    <T> T trip(String what, Object detail, Request<T> request) throws SQLException {
        world.step(latency());
        return trip(what, detail, request, address.network().next());
    }

    /** As above, and this happens to the request. */
    <T> T trip(String what, Object detail, Request<T> request, Network.Fate fate) throws SQLException {
        requireConnection();
        if (server.isHanging()) {
            awaitAnswer(request);
        }
        if (fate == Network.Fate.LOST || fate == Network.Fate.LATE) {
            world.log(() -> server + " " + what + " " + detail + " " + fate);
        } else {
            T answer = done(request);
            world.log(() -> server + " " + what + " " + detail + " -> " + answer
                    + (fate == Network.Fate.FINE ? "" : " " + fate));
            if (fate == Network.Fate.FINE) {
                world.step(latency());
                requireConnection();
                return answer;
            }
            if (fate == Network.Fate.TWICE) {
                return again(what, detail, request);
            }
        }
        if (fate == Network.Fate.LATE) {
            doLate(what, detail, request);
        }
        cut();
        throw address.failed(server, Failure.reset(server));
    }

    private <T> T again(String what, Object detail, Request<T> request) throws SQLException {
        world.sleep(world.random(0, 20_000_000));
        requireConnection();
        T answer = done(request);
        world.log(() -> server + " " + what + " " + detail + " again -> " + answer);
        return answer;
    }

    private <T> T done(Request<T> request) throws SQLException {
        LedgerContent former = server.content();
        if (server.staleBy() > 0) {
            LedgerContent older = server.copy(world.random(server.staleBy() + 1));
            server.put(older);
            try {
                T answer = request.on(server);
                if (server.content() == older) {
                    return answer;
                }
            } finally {
                server.put(former);
            }
        }
        T answer;
        try {
            answer = request.on(server);
        } catch (SQLException | RuntimeException e) {
            server.put(former);
            throw e;
        }
        if (server.isReadOnly() && server.content() != former) {
            server.put(former);
            throw address.failed(server, Failure.readOnly(server));
        }
        server.committed();
        return answer;
    }

    long latency() {
        return world.random(20_000, 200_000);
    }

    private void doLate(String what, Object detail, Request<?> request) {
        address.network().beginLate();
        world.startAfter(world.random(0, Duration.ofSeconds(1).toNanos()), address.wire(), "late", () -> {
            address.network().endLate();
            if (server.isUp() && server.epoch() == epoch) {
                try {
                    Object answer = done(request);
                    world.log(() -> server + " " + what + " " + detail + " late -> " + answer);
                } catch (SQLException e) {
                    world.log(() -> server + " " + what + " " + detail + " late -> " + e);
                }
            }
        });
    }

    void requireConnection() throws SQLException {
        if (isBroken()) {
            throw address.failed(server, Failure.reset(server));
        }
    }

    /** The server hangs. What it has received, it may do. */
    private void awaitAnswer(Request<?> request) throws SQLException {
        boolean isDone = world.once(2);
        if (isDone) {
            Object unused = done(request);
        }
        boolean answers = world.await(() -> !server.isHanging() || isBroken(), timeout.toNanos(), false);
        requireConnection();
        if (!answers || isDone) {
            cut();
            throw address.failed(server, Failure.timeout(server));
        }
    }

    @Override
    public String toString() {
        return client + " on " + server;
    }
}

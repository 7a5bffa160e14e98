package io.distributedid.simulation;

import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection to a {@link MemoryServer}. Each request is a trip, before and after which others may act, and
 * which may go wrong. A transaction locks the whole server: what others would read or do meanwhile, they read or do
 * before or after it. The class is long since a request and a transaction go wrong in like ways.
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

    /** What was stored before the transaction; null outside of one. */
    private @Nullable Content before;

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

    boolean isOfDead() {
        return client.isKilled();
    }

    boolean isValid() throws SQLException {
        return trip("ping", "", on -> true);
    }

    void cut() {
        rollBack();
        isCut = true;
    }

    private boolean isBroken() {
        return isCut || !server.isUp() || server.epoch() != epoch;
    }

    /** Sends a request, unless the connection is broken, and returns the answer. */
    <T> T trip(String what, Object detail, Request<T> request) throws SQLException {
        world.step(latency());
        return trip(what, detail, request, address.network().next(before != null));
    }

    /** As above, and this happens to the request. */
    <T> T trip(String what, Object detail, Request<T> request, Network.Fate fate) throws SQLException {
        requireConnection();
        if (before == null && server.locker() != null) {
            awaitLock();
        }
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
        if (server.locker() != null) {
            awaitLock();
        }
        T answer = done(request);
        world.log(() -> server + " " + what + " " + detail + " again -> " + answer);
        return answer;
    }

    private <T> T done(Request<T> request) throws SQLException {
        Content former = server.content();
        if (before == null && server.staleBy() > 0) {
            Content older = server.copy(world.random(server.staleBy() + 1));
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
        if (before == null) {
            server.committed();
        }
        return answer;
    }

    long latency() {
        return world.random(20_000, 200_000);
    }

    private void doLate(String what, Object detail, Request<?> request) {
        address.network().beginLate();
        world.startAfter(world.random(0, Duration.ofSeconds(1).toNanos()), address.wire(), "late", () -> {
            address.network().endLate();
            if (server.isUp() && server.epoch() == epoch && server.locker() == null) {
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
            rollBack();
            throw address.failed(server, Failure.reset(server));
        }
    }

    private void awaitLock() throws SQLException {
        boolean isFree = world.await(() -> server.locker() == null || isBroken(), timeout.toNanos(), false);
        requireConnection();
        if (!isFree) {
            cut();
            throw address.failed(server, Failure.timeout(server));
        }
    }

    /** The server hangs. What it has received, it may do. */
    private void awaitAnswer(Request<?> request) throws SQLException {
        boolean isDone = before == null && world.once(2);
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

    /** Locks the server. */
    void begin() throws SQLException {
        world.step(latency());
        requireConnection();
        if (server.locker() != null) {
            awaitLock();
        }
        before = server.content();
        server.lockBy(this);
    }

    /** The transaction's requests were done. */
    void commit() throws SQLException {
        Network.Fate fate = address.network().next(true);
        world.log(() -> server + " commit" + (fate == Network.Fate.FINE ? "" : " UNANSWERED"));
        before = null;
        server.lockBy(null);
        server.committed();
        if (fate != Network.Fate.FINE) {
            cut();
            throw address.failed(server, Failure.reset(server));
        }
        world.step(latency());
    }

    /** The server rolls an open transaction back. */
    void rollBack() {
        Content former = before;
        before = null;
        if (former != null && server.isLockedBy(this)) {
            server.put(former);
            server.lockBy(null);
        }
    }

    @Override
    public String toString() {
        return client + " on " + server;
    }
}

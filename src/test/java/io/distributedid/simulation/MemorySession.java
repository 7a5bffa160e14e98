package io.distributedid.simulation;

import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.RecordRows;
import io.distributedid.internal.counter.Return;
import io.distributedid.internal.counter.StoredCounter;
import io.distributedid.internal.jdbc.Writability;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a client may ask a {@link MemoryServer} on one connection. Each request is a trip, before and after which others
 * may act, and which may go wrong. A transaction locks the whole server: what others would read or do meanwhile, they
 * read or do before or after it. The class is long since a request, a script and a transaction go wrong in like ways.
 */
final class MemorySession implements CounterSession<MemoryKey> {

    /** A request that the server does at once. */
    @FunctionalInterface
    interface Request<T> {

        T on(MemoryServer server) throws SQLException;
    }

    private final Host client;

    private final World world;

    private final MemoryStore.Address address;

    private final MemoryServer server;

    private final Numbering numbering;

    private final String identity;

    private final int epoch;

    private final Map<MemoryKey, MemoryCounter> open = new HashMap<>();

    private Duration timeout;

    private boolean isCut;

    /** What was stored before the transaction; null outside of one. */
    private @Nullable Stored before;

    /** Whether the server does several requests as one, like a script. */
    private boolean isInScript;

    MemorySession(MemoryStore.Address address, MemoryServer server, Duration timeout) {
        this.address = address;
        this.client = address.client();
        this.world = client.world();
        this.server = server;
        this.numbering = address.numbering();
        this.identity = server.identity();
        this.epoch = server.epoch();
        this.timeout = timeout;
    }

    String identity() {
        return identity;
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

    /** The process has drawn ids. */
    void drew(MemoryKey key, long last) {
        address.network().drew(client, server, key.key(), last);
    }

    /** The process has raised a counter. */
    void raised(long by) {
        address.network().raised(by);
    }

    /** The process has seen an id. */
    void saw(MemoryKey key, long id) {
        address.network().saw(client, server, key.key(), id);
    }

    /** Sends a request, unless the connection is broken, and returns the answer. */
    <T> T trip(String what, Object detail, Request<T> request) throws SQLException {
        if (isInScript) {
            return request.on(server);
        }
        world.step(latency());
        return trip(what, detail, request, address.network().next(before != null));
    }

    private <T> T trip(String what, Object detail, Request<T> request, Network.Fate fate) throws SQLException {
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
        Stored former = server.stored();
        if (before == null && server.staleBy() > 0) {
            Stored older = server.copy(world.random(server.staleBy() + 1));
            server.put(older);
            try {
                T answer = request.on(server);
                if (server.stored() == older) {
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
        if (server.isReadOnly() && server.stored() != former) {
            server.put(former);
            throw address.failed(server, Failure.readOnly(server));
        }
        if (before == null) {
            server.committed();
        }
        return answer;
    }

    private long latency() {
        return world.random(20_000, 200_000);
    }

    private void doLate(String what, Object detail, Request<?> request) {
        world.startAfter(world.random(0, Duration.ofSeconds(1).toNanos()), address.wire(), "late", () -> {
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

    private void requireConnection() throws SQLException {
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

    <T> T inTransaction(StoredCounter.Work<T> work) throws SQLException {
        if (isInScript) {
            return work.run();
        }
        world.step(latency());
        requireConnection();
        if (server.locker() != null) {
            awaitLock();
        }
        before = server.stored();
        server.lockBy(this);
        T result;
        try {
            result = work.run();
            world.step(latency());
            requireConnection();
        } catch (SQLException | RuntimeException | Error e) {
            rollBack();
            throw e;
        }
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
        return result;
    }

    /** The server rolls an open transaction back. */
    void rollBack() {
        Stored former = before;
        before = null;
        if (former != null && server.isLockedBy(this)) {
            server.put(former);
            server.lockBy(null);
        }
    }

    /** As one request, like a script. */
    <T> T script(String what, Object detail, StoredCounter.Work<T> work) throws SQLException {
        return trip(what, detail, asScript(work));
    }

    private <T> Request<T> asScript(StoredCounter.Work<T> work) {
        return on -> {
            isInScript = true;
            try {
                return work.run();
            } finally {
                isInScript = false;
            }
        };
    }

    @Override
    public Numbering numbering() {
        return numbering;
    }

    @Override
    public MemoryCounter open(MemoryKey counter) {
        return open.computeIfAbsent(counter, key -> new MemoryCounter(this, key));
    }

    @Override
    public MemoryCounter openToRead(MemoryKey counter) {
        return open(counter);
    }

    @Override
    public Map<MemoryKey, RecordRows> recordsTogether(List<MemoryKey> counters) throws SQLException {
        return trip("records of", counters, on -> {
            Map<MemoryKey, RecordRows> records = new LinkedHashMap<>();
            counters.forEach(each -> records.put(each, MemoryRecord.rows(on.stored(), each)));
            return records;
        });
    }

    @Override
    public boolean takesIdsBack() {
        return !setup().isTickets();
    }

    @Override
    public void giveBack(Map<MemoryKey, Return> returns, Consumer<MemoryKey> returned) throws SQLException {
        if (!setup().hasScripts()) {
            CounterSession.super.giveBack(returns, returned);
            return;
        }
        StoredCounter.Work<List<MemoryKey>> lower = () -> {
            List<MemoryKey> all = new ArrayList<>();
            for (Map.Entry<MemoryKey, Return> each : returns.entrySet()) {
                if (each.getValue().to(open(each.getKey())).run()) {
                    all.add(each.getKey());
                }
            }
            return all;
        };
        world.step(latency());
        trip("give back", returns, asScript(lower), address.network().nextOfReturn())
                .forEach(returned);
    }

    @Override
    public boolean needsRecord() {
        return numbering.increment() > 1;
    }

    @Override
    public Optional<Writability> readOnly() {
        return Optional.empty();
    }

    @Override
    public String toString() {
        return client + " on " + Objects.toString(server);
    }
}

package io.distributedid.simulation;

import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.RecordRows;
import io.distributedid.internal.counter.Return;
import io.distributedid.internal.counter.StoredCounter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a client may ask a {@link MemoryServer} for counters with records, on one connection. */
final class MemorySession extends Line implements CounterSession<MemoryKey> {

    private final Numbering numbering;

    private final String identity;

    private final Map<MemoryKey, MemoryCounter> open = new HashMap<>();

    /** Whether the server does several requests as one, like a script. */
    private boolean isInScript;

    MemorySession(Address address, MemoryServer server, Duration timeout) {
        super(address, server, timeout);
        this.numbering = address.numbering();
        this.identity = server.identity();
    }

    String identity() {
        return identity;
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

    @Override
    <T> T trip(String what, Object detail, Request<T> request) throws SQLException {
        return isInScript ? request.on(server) : super.trip(what, detail, request);
    }

    <T> T inTransaction(StoredCounter.Work<T> work) throws SQLException {
        if (isInScript) {
            return work.run();
        }
        begin();
        T result;
        try {
            result = work.run();
            world.step(latency());
            requireConnection();
        } catch (SQLException | RuntimeException | Error e) {
            rollBack();
            throw e;
        }
        commit();
        return result;
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
}

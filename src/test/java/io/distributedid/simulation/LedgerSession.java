package io.distributedid.simulation;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterRow;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.counter.Header;
import io.distributedid.internal.counter.MemoryTables;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.Seen;
import io.distributedid.internal.counter.Write;
import io.distributedid.internal.counter.sql.Writability;
import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a client may ask a {@link MemoryServer} for counters on a ledger, on one connection. */
final class LedgerSession extends Line implements CounterSession {

    private final Scene scene;

    private final List<Address> list;

    private final Numbering numbering;

    /** {@code list} are the addresses of the client. */
    LedgerSession(Scene scene, List<Address> list, Address address, MemoryServer server, Duration timeout) {
        super(address, server, timeout);
        this.scene = scene;
        this.list = list;
        this.numbering = address.numbering();
    }

    /** In one trip or more, as databases do. */
    @Override
    public Map<CounterKey, Seen> look(Collection<CounterKey> counters, boolean forChanges) throws SQLException {
        if (counters.size() == 1 || world.once(2)) {
            return lookOnce(counters);
        }
        Map<CounterKey, Seen> seen = new LinkedHashMap<>();
        for (CounterKey each : counters) {
            seen.putAll(lookOnce(List.of(each)));
        }
        return seen;
    }

    private Map<CounterKey, Seen> lookOnce(Collection<CounterKey> counters) throws SQLException {
        return trip("look at", counters, on -> {
            Map<CounterKey, Seen> seen = new LinkedHashMap<>();
            counters.forEach(
                    each -> seen.put(each, tables(on, on.content(), each).look(each, numbering)));
            return seen;
        });
    }

    private MemoryTables tables(MemoryServer on, LedgerContent content, CounterKey counter) {
        return content.tables(on.identity(), setup().isTickets(), setup().columnEnd(counter.sequence()));
    }

    @Override
    public Map<CounterKey, Drawn> draw(List<Draw> draws) throws SQLException {
        Map<CounterKey, Map<Long, Long>> due = new HashMap<>();
        draws.forEach(each -> due.put(each.counter(), notesDue(each.counter())));
        boolean isLocked = address.network().isLocked();
        Map<CounterKey, Drawn> drawn = change("draw", draws, on -> {
            Map<CounterKey, Drawn> answers = new LinkedHashMap<>();
            LedgerContent content = on.content();
            for (Draw each : draws) {
                if (isLocked && answers.isEmpty()) {
                    answers.put(each.counter(), Drawn.LOCKED);
                    continue;
                }
                MemoryTables.Answer answer = tables(on, content, each.counter()).draw(each, numbering);
                Block block = answer.drawn().block();
                long last = block == null ? 0 : block.last();
                Map<Long, Long> notes = block == null ? Map.of() : due.getOrDefault(each.counter(), Map.of());
                content = content.drawn(answer.tables(), each.counter(), last, notes);
                answers.put(each.counter(), answer.drawn());
            }
            on.put(content);
            return answers;
        });
        drawn.forEach((counter, answer) -> {
            @Nullable Block block = answer.block();
            if (block != null) {
                address.drew(counter.ledgerRow(), block.last());
                address.network().answered(client, server);
            }
        });
        return drawn;
    }

    /** What the draw has to note, by the offset of another server: how far the process has drawn there. */
    private Map<Long, Long> notesDue(CounterKey counter) {
        Map<Long, Long> due = new HashMap<>();
        for (Address each : list) {
            long last = each.drawn(counter.ledgerRow());
            if (each != address && last > 0) {
                due.put(each.numbering().offset(), last);
            }
        }
        return due;
    }

    @Override
    public Set<Write> write(List<Write> writes) throws SQLException {
        Set<Write> made = new LinkedHashSet<>();
        for (Write each : writes) {
            if (isMade(each)) {
                made.add(each);
            }
        }
        return made;
    }

    private boolean isMade(Write write) throws SQLException {
        return change("write", write, on -> {
            LedgerContent before = on.content();
            MemoryTables tables = tables(on, before, write.change().counter());
            MemoryTables after = tables.after(write, numbering);
            if (after != null) {
                on.put(before.written(after, write));
                if (!on.isReadOnly()) {
                    scene.evidence().changed(on, write);
                }
            }
            return after != null || isDone(tables, write);
        });
    }

    /** It may have been done before: somebody sent it twice. */
    private static boolean isDone(MemoryTables tables, Write write) {
        if (write.change() instanceof Write.ToHeader to) {
            Header header = tables.header(to.counter());
            return header != null && header.version().equals(to.header().version());
        }
        if (write.change() instanceof Write.ToRow to) {
            CounterRow row = tables.row(to.counter());
            return row != null && row.version().equals(to.row().version());
        }
        return false;
    }

    @Override
    public Set<CounterKey> counters(CounterKey one) throws SQLException {
        return trip("counters of", one.table(), on -> {
            Set<CounterKey> all = new LinkedHashSet<>(Set.of(one));
            for (MemoryKey each : setup().keys()) {
                if (each.table().equals(one.table()) && on.content().counters().containsKey(each.key())) {
                    all.add(each.counter());
                }
            }
            return all;
        });
    }

    @Override
    public void drawNumber(CounterKey counter) throws SQLException {
        boolean unused = change("draw a number of", counter, on -> {
            LedgerContent before = on.content();
            if (before.row(counter.ledgerRow()) == null) {
                throw new SQLException("There is no counter: " + counter + " on " + on);
            }
            on.put(before.with(tables(on, before, counter).drawnFrom(counter, numbering)));
            return true;
        });
    }

    /** Asks for a change. While a server loses ids, its answers to these may be lost, and no others. */
    private <T> T change(String what, Object detail, Request<T> request) throws SQLException {
        world.step(latency());
        return trip(what, detail, request, address.network().nextOfChange(server));
    }

    @Override
    public Optional<Writability> whyReadOnly() {
        return server.isReadOnly() ? Optional.of(new Writability("read only", false)) : Optional.empty();
    }
}

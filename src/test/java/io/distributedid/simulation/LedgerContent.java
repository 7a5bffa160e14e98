package io.distributedid.simulation;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterRow;
import io.distributedid.internal.counter.Header;
import io.distributedid.internal.counter.MemoryTables;
import io.distributedid.internal.counter.MemoryTables.Stored;
import io.distributedid.internal.counter.Write;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that a {@link MemoryServer} stores: tables of counters with a ledger, and what has to be in the ledger.
 * Immutable, so that an older copy is a reference.
 *
 * @param headers by table
 * @param counters by {@link MemoryKey#key}
 * @param traces by the same
 */
record LedgerContent(Map<String, Header> headers, Map<String, Stored> counters, Map<String, Trace> traces) {

    static final LedgerContent EMPTY = new LedgerContent(Map.of(), Map.of(), Map.of());

    /**
     * What the ledger has to say of a counter, by the requests that the server did.
     *
     * @param number the last id that was drawn, or what the counter was raised to
     * @param notes by the offset of another server: how far those who drew here had drawn there
     */
    record Trace(long number, Map<Long, Long> notes) {

        private static final Trace NONE = new Trace(0, Map.of());

        private Trace with(long drawn, Map<Long, Long> more) {
            Map<Long, Long> all = new HashMap<>(notes);
            more.forEach((offset, last) -> all.merge(offset, last, Math::max));
            return new Trace(Math.max(number, drawn), all);
        }
    }

    private static <T> Map<String, T> changed(Map<String, T> all, String name, @Nullable T value) {
        Map<String, T> changed = new TreeMap<>(all);
        if (value == null) {
            changed.remove(name);
        } else {
            changed.put(name, value);
        }
        return changed;
    }

    MemoryTables tables(String identity, boolean isBlind, long largest) {
        return new MemoryTables(identity, isBlind, largest, headers, counters);
    }

    private LedgerContent of(MemoryTables tables, String key, Trace trace) {
        return new LedgerContent(tables.headers(), tables.counters(), changed(traces, key, trace));
    }

    /** After a change that gives no ids. */
    LedgerContent with(MemoryTables after) {
        return new LedgerContent(after.headers(), after.counters(), traces);
    }

    /** After a draw of ids up to {@code last}. */
    LedgerContent drawn(MemoryTables after, CounterKey counter, long last, Map<Long, Long> due) {
        String key = counter.ledgerRow();
        return of(after, key, trace(key).with(last, due));
    }

    LedgerContent written(MemoryTables after, Write write) {
        String key = write.change().counter().ledgerRow();
        Trace trace = trace(key);
        if (write.change() instanceof Write.ToRow to) {
            boolean isAnew = write.expected() == null;
            trace = trace.with(to.above().orElse(isAnew ? to.row().number() : 0), Map.of());
        }
        return of(after, key, trace);
    }

    Trace trace(String key) {
        return traces.getOrDefault(key, Trace.NONE);
    }

    Stored stored(String key) {
        return counters.getOrDefault(key, Stored.NOTHING);
    }

    /** A row that is new knows nothing of the others. */
    boolean hasRow(MemoryKey key) {
        CounterRow row = stored(key.key()).row();
        return row != null && row.isOpen();
    }

    /** See {@link Stored#names}. */
    boolean names(MemoryKey key, long offset, LedgerContent copy) {
        return stored(key.key()).names(offset, copy.stored(key.key()));
    }

    /** Whether the row was written on a server. */
    boolean isOf(MemoryKey key, String identity) {
        CounterRow row = stored(key.key()).row();
        return row != null && row.identity().equals(identity);
    }

    /** The version of the row; empty if there is none. */
    String version(MemoryKey key) {
        CounterRow row = stored(key.key()).row();
        return row == null ? "" : row.version().toString();
    }

    private Optional<Header> header(MemoryKey key) {
        return Optional.ofNullable(headers.get(key.table()));
    }

    boolean isOpen(MemoryKey key) {
        return header(key).filter(each -> each.state() == Header.State.OPEN).isPresent();
    }

    /** 0 if there is no header. */
    long era(MemoryKey key) {
        return header(key).map(Header::era).orElse(0L);
    }

    /** Empty if there is no header. */
    String token(MemoryKey key) {
        return header(key).map(Header::token).orElse("");
    }

    /** The last ids of the counters, by {@link MemoryKey#key}. */
    Map<String, Long> rows() {
        Map<String, Long> rows = new TreeMap<>();
        counters.forEach((key, stored) -> stored.counter().ifPresent(last -> rows.put(key, last)));
        return rows;
    }

    @Nullable
    Long row(String key) {
        OptionalLong counter = stored(key).counter();
        return counter.isPresent() ? counter.getAsLong() : null;
    }

    private LedgerContent with(String key, @Nullable Stored stored, Trace trace) {
        return new LedgerContent(headers, changed(counters, key, stored), changed(traces, key, trace));
    }

    LedgerContent withRow(String key, long id) {
        return with(key, stored(key).withCounter(OptionalLong.of(id)), trace(key));
    }

    LedgerContent withoutRow(String key) {
        return with(key, stored(key).withCounter(OptionalLong.empty()), trace(key));
    }

    /** With the counters of another copy, and the ledger as it is. */
    LedgerContent withRows(Map<String, Long> others) {
        LedgerContent all = this;
        for (String key : counters.keySet()) {
            all = all.withoutRow(key);
        }
        for (Map.Entry<String, Long> each : others.entrySet()) {
            all = all.withRow(each.getKey(), each.getValue());
        }
        return all;
    }

    /** The notes stay: each is a row of its own. */
    LedgerContent withoutLedgerRow(String key) {
        return with(key, stored(key).withRow(null), new Trace(0, trace(key).notes()));
    }

    LedgerContent without(String key) {
        return with(key, null, Trace.NONE);
    }

    LedgerContent withHeader(String table, @Nullable Header header) {
        return new LedgerContent(changed(headers, table, header), counters, traces);
    }

    /** A row, with its counter at its number. */
    LedgerContent withNew(String key, CounterRow row, Map<Long, Long> notes) {
        return with(key, new Stored(row, notes, OptionalLong.of(row.number())), Trace.NONE.with(row.number(), notes));
    }

    /** Whether tables are open. */
    boolean isInOrder() {
        return headers.values().stream().allMatch(each -> each.state() == Header.State.OPEN);
    }

    /** Whether an operator's command was cut off, or is under way. */
    boolean isCutOff() {
        return headers.values().stream()
                .anyMatch(each -> each.state() == Header.State.CLOSED || each.state() == Header.State.MADE);
    }

    /** Whether a command has left a table, or is about to. */
    boolean isLeft() {
        return isCutOff() || headers.values().stream().anyMatch(each -> each.state() == Header.State.MOVED);
    }
}

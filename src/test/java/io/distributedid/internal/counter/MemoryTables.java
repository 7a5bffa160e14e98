package io.distributedid.internal.counter;

import io.distributedid.internal.counter.Write.ToHeader;
import io.distributedid.internal.counter.Write.ToNote;
import io.distributedid.internal.counter.Write.ToRow;
import io.distributedid.internal.ledger.Version;
import io.distributedid.spi.Block;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What one server holds of its tables of counters and of the ledger, and what it does with a look, a draw and a write:
 * the reference for each {@link CounterSession}. Immutable; each function returns the state afterwards. The numbering
 * is that of the session.
 *
 * <p>A sequence table leaves its counter as it is when a draw is refused. So does a ticket table if the row is not open
 * under the version. Else it moves on, and marks the row LOST if it drew a number that was known already: otherwise
 * later draws would have moved past it.
 *
 * @param identity of the server and the schema
 * @param isBlind whether these are ticket tables
 * @param largest the largest id that a counter holds
 * @param headers by the name of the table
 * @param counters by the name of the row in the ledger
 */
public record MemoryTables(
        String identity, boolean isBlind, long largest, Map<String, Header> headers, Map<String, Stored> counters) {

    /**
     * A counter with what the ledger holds of it.
     *
     * @param row null if there is none
     * @param notes by the offset of another server
     * @param counter the last id that was drawn; empty if the counter is missing
     */
    public record Stored(@Nullable CounterRow row, Map<Long, Long> notes, OptionalLong counter) {

        public static final Stored NOTHING = new Stored(null, Map.of(), OptionalLong.empty());

        public Stored {
            notes = Map.copyOf(notes);
        }

        /** Whether a note on this server names the new row that another one holds. */
        public boolean names(long offset, Stored other) {
            Long note = notes.get(offset);
            return other.row != null && other.row.isNew() && note != null && note == other.row.note();
        }

        public Stored withRow(@Nullable CounterRow changed) {
            return new Stored(changed, notes, counter);
        }

        public Stored withCounter(OptionalLong changed) {
            return new Stored(row, notes, changed);
        }

        /** A note never falls. */
        Stored withNotes(Map<Long, Long> more) {
            if (more.isEmpty()) {
                return this;
            }
            Map<Long, Long> all = new HashMap<>(notes);
            more.forEach((offset, number) -> all.merge(offset, number, Math::max));
            return new Stored(row, all, counter);
        }
    }

    /**
     * What comes of draws.
     *
     * @param tables afterwards
     * @param answers by counter
     */
    public record Answer(MemoryTables tables, Map<CounterKey, Drawn> answers) {

        /** Of the only draw. */
        public Drawn drawn() {
            return answers.values().iterator().next();
        }
    }

    public MemoryTables {
        headers = Map.copyOf(headers);
        counters = Map.copyOf(counters);
    }

    public static MemoryTables empty(String identity, boolean isBlind, long largest) {
        return new MemoryTables(identity, isBlind, largest, Map.of(), Map.of());
    }

    public @Nullable Header header(CounterKey counter) {
        return headers.get(counter.header());
    }

    public Stored stored(CounterKey counter) {
        return counters.getOrDefault(counter.ledgerRow(), Stored.NOTHING);
    }

    public @Nullable CounterRow row(CounterKey counter) {
        return stored(counter).row();
    }

    // --- What a session does ---

    /** See {@link CounterSession#look}. */
    public Seen look(CounterKey counter, Numbering numbering) {
        Stored stored = stored(counter);
        return new Seen(
                identity, numbering, header(counter), stored.row(), stored.notes(), stored.counter(), isBlind, largest);
    }

    /** See {@link CounterSession#draw}. One transaction. */
    public Answer draw(List<Draw> draws, Numbering numbering) {
        MemoryTables tables = this;
        Map<CounterKey, Drawn> answers = new LinkedHashMap<>();
        for (Draw draw : draws) {
            Answer answer = tables.draw(draw, numbering);
            tables = answer.tables();
            answers.putAll(answer.answers());
        }
        return new Answer(tables, answers);
    }

    /**
     * One draw. A block ends where the column ends; if none of its ids fits in, the counter is exhausted, and does not
     * move.
     */
    public Answer draw(Draw draw, Numbering numbering) {
        Stored before = stored(draw.counter());
        if (before.counter().isEmpty()) {
            return new Answer(this, Map.of(draw.counter(), Drawn.REFUSED));
        }
        long last = before.counter().getAsLong();
        long first = numbering.after(last);
        boolean isOpen = before.row() != null
                && before.row().isOpen()
                && !before.row().isLost()
                && before.row().version().equals(draw.version());
        if (first > largest || first <= last || !numbering.holds(first)) {
            return new Answer(this, Map.of(draw.counter(), isOpen ? Drawn.EXHAUSTED : Drawn.REFUSED));
        }
        long count = Math.min(draw.wanted(), 1 + (largest - first) / numbering.increment());
        Block block = new Block(first, numbering.increment(), count);
        Stored moved = before.withCounter(OptionalLong.of(block.last()));
        if (!isOpen) {
            return refused(draw, before, before);
        }
        if (block.last() > draw.furthest()) {
            return refused(draw, before, moved);
        }
        CounterRow row = Objects.requireNonNull(before.row());
        if (first <= row.number() || first <= draw.known()) {
            return refused(draw, before, moved.withRow(marked(row, true)));
        }
        Stored after = moved.withRow(withNumber(row, block.last())).withNotes(draw.notes());
        return new Answer(with(draw.counter(), after), Map.of(draw.counter(), Drawn.of(block)));
    }

    private Answer refused(Draw draw, Stored before, Stored moved) {
        MemoryTables after = with(draw.counter(), isBlind ? moved : before);
        return new Answer(after, Map.of(draw.counter(), Drawn.REFUSED));
    }

    /**
     * For a command: draws one number from a ticket table, whatever its row says, and marks the row LOST as a draw
     * does. Look then, see {@link Seen#drawn}.
     */
    public MemoryTables drawnFrom(CounterKey counter, Numbering numbering) {
        Stored before = stored(counter);
        long id = numbering.after(before.counter().orElseThrow());
        CounterRow row = before.row();
        Stored moved = before.withCounter(OptionalLong.of(id));
        return with(counter, row == null || id > row.number() ? moved : moved.withRow(marked(row, true)));
    }

    /**
     * See {@link CounterSession#write}.
     *
     * @return null if it was refused
     */
    public @Nullable MemoryTables after(Write write, Numbering numbering) {
        Write.Change change = write.change();
        if (change instanceof ToHeader to) {
            Header before = header(to.counter());
            return Objects.equals(before == null ? null : before.version(), write.expected())
                    ? withHeader(to.counter(), to.header())
                    : null;
        }
        Stored before = stored(change.counter());
        if (change instanceof ToNote to) {
            boolean isNotCreated = Objects.equals(before.notes().get(to.offset()), Seen.NOT_CREATED);
            return isNotCreated ? with(to.counter(), before.withNotes(Map.of(to.offset(), to.number()))) : null;
        }
        ToRow to = (ToRow) change;
        CounterRow row = before.row();
        Version version = row == null ? null : row.version();
        boolean hasMoved =
                row != null && to.row().isLost() && row.number() != to.row().number();
        if (!Objects.equals(version, write.expected()) || (row != null && row.isLost() != to.wasLost()) || hasMoved) {
            return null;
        }
        long number = Math.max(row == null ? 0 : row.number(), to.row().number());
        OptionalLong counter = to.above().isEmpty()
                ? before.counter()
                : raised(before.counter(), to.above().getAsLong(), numbering);
        return with(
                to.counter(),
                before.withRow(withNumber(to.row(), number))
                        .withCounter(counter)
                        .withNotes(to.notes()));
    }

    /** The lowest value, not below the counter, after which the next id is the session's, and lies above. */
    private static OptionalLong raised(OptionalLong counter, long above, Numbering numbering) {
        long last = Math.max(0, counter.orElse(0));
        if (last > 0 && !numbering.holds(last)) {
            last = numbering.after(last);
        }
        long next = numbering.after(above);
        return OptionalLong.of(Math.max(last, next - numbering.increment()));
    }

    // --- What changes it otherwise ---

    public MemoryTables withIdentity(String changed) {
        return new MemoryTables(changed, isBlind, largest, headers, counters);
    }

    /** @param header null if it is deleted */
    public MemoryTables withHeader(CounterKey counter, @Nullable Header header) {
        return new MemoryTables(identity, isBlind, largest, changed(headers, counter.header(), header), counters);
    }

    public MemoryTables with(CounterKey counter, Stored stored) {
        return new MemoryTables(identity, isBlind, largest, headers, changed(counters, counter.ledgerRow(), stored));
    }

    private static <T> Map<String, T> changed(Map<String, T> all, String name, @Nullable T value) {
        Map<String, T> changed = new HashMap<>(all);
        if (value == null) {
            changed.remove(name);
        } else {
            changed.put(name, value);
        }
        return changed;
    }

    static CounterRow marked(CounterRow row, boolean isLost) {
        return new CounterRow(row.version(), isLost, row.number(), row.identity(), row.era(), row.command());
    }

    static CounterRow withNumber(CounterRow row, long number) {
        return new CounterRow(row.version(), row.isLost(), number, row.identity(), row.era(), row.command());
    }
}

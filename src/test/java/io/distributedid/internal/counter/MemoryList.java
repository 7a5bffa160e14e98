package io.distributedid.internal.counter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Servers in memory that divide the numbers of a counter between them, and one client. */
final class MemoryList {

    private static final int MOST_LOOKS = 20;

    private final CounterKey counter;

    /** By place; null if a server does not answer. */
    final List<@Nullable MemoryTables> servers = new ArrayList<>();

    final List<Numbering> numberings = new ArrayList<>();

    int looks;

    MemoryList(CounterKey counter) {
        this.counter = counter;
    }

    void add(long largest, Numbering... each) {
        for (Numbering numbering : each) {
            numberings.add(numbering);
            servers.add(MemoryTables.empty("server" + numberings.size(), false, largest));
        }
    }

    MemoryTables server(int place) {
        return Objects.requireNonNull(servers.get(place));
    }

    void counter(int place, long last) {
        servers.set(
                place, server(place).with(counter, server(place).stored(counter).withCounter(OptionalLong.of(last))));
    }

    List<@Nullable Seen> look() {
        List<@Nullable Seen> seen = new ArrayList<>();
        for (int place = 0; place < servers.size(); place++) {
            MemoryTables tables = servers.get(place);
            seen.add(tables == null ? null : tables.look(counter, numberings.get(place)));
        }
        return seen;
    }

    /** Looks and changes until nothing is left to change. */
    Verdict settle(CounterRules rules, Minimum minimum) {
        while (true) {
            List<@Nullable Seen> seen = look();
            Verdict verdict = rules.plan(counter, seen, seen, Known.NOTHING, minimum, "token" + ++looks);
            if (verdict.writes().isEmpty()) {
                return verdict;
            }
            if (looks > MOST_LOOKS) {
                throw new IllegalStateException("Always something is left to change: " + verdict);
            }
            verdict.writes().forEach(this::write);
        }
    }

    void write(Write write) {
        int place = write.place();
        servers.set(place, Objects.requireNonNull(server(place).after(write, numberings.get(place))));
    }

    Drawn draw(int place, long wanted) {
        CounterRow row = Objects.requireNonNull(server(place).row(counter));
        Draw draw = new Draw(counter, wanted, row.version(), row.number(), Long.MAX_VALUE, Map.of());
        MemoryTables.Answer answer = server(place).draw(draw, numberings.get(place));
        servers.set(place, answer.tables());
        return answer.drawn();
    }

    long next(int place) {
        return Objects.requireNonNull(draw(place, 1).block()).first();
    }
}

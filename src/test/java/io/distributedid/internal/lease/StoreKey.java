package io.distributedid.internal.lease;

import io.distributedid.internal.lease.StoreState.Actor;
import io.distributedid.internal.lease.StoreState.Write;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Version;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The key of a state: equal for states that differ only in random texts, in how often rows were changed, and, if all
 * clocks are alike, in which of two processes at one address is which.
 */
final class StoreKey {

    private static final char NOTHING = '-';

    private final Map<String, Integer> names = new HashMap<>();

    /** By place and name of a row: the least count of a version that the store or a process has. */
    private final Map<String, Long> least;

    private final Map<String, Long> counts = new HashMap<>();

    private final StringBuilder text = new StringBuilder(300);

    /** By process: which it is in the key. */
    private final int[] places;

    private StoreKey(Map<String, Long> least, int[] places) {
        this.least = least;
        this.places = places;
    }

    /** @param areAlike whether processes at one address may change places */
    static String of(StoreState state, boolean areAlike) {
        int[] places = areAlike
                ? places(state)
                : IntStream.range(0, state.actors.size()).toArray();
        StoreKey first = new StoreKey(Map.of(), places);
        first.write(state);
        StoreKey key = new StoreKey(first.counts, places);
        key.write(state);
        return key.text.toString();
    }

    /** Orders processes by what tells most of them apart. */
    private static int[] places(StoreState state) {
        int[] places = new int[state.actors.size()];
        List<Integer> order = IntStream.range(0, places.length)
                .boxed()
                .sorted(Comparator.comparing(i -> signature(state, i)))
                .toList();
        IntStream.range(0, places.length).forEach(place -> places[order.get(place)] = place);
        return places;
    }

    private static String signature(StoreState state, int i) {
        Actor actor = state.actors.get(i);
        if (actor.command >= 0) {
            return "~" + actor.command;
        }
        StringBuilder text =
                new StringBuilder().append(actor.place).append(actor.isAsking).append(actor.writes.size());
        for (Lease lease : new Lease[] {actor.lease.held(), actor.used}) {
            text.append(lease == null ? NOTHING : lease.row().number() + "," + lease.from() + "," + lease.since());
            text.append(lease != null && lease.isConfirmed());
        }
        new TreeMap<>(actor.known.rows())
                .values()
                .forEach(row -> text.append(row.version().count()).append(row.number()));
        for (int[] ticks : state.owners) {
            text.append(Arrays.stream(ticks)
                    .filter(tick -> tick % StoreState.UNTOLD == i + 1)
                    .count());
        }
        return text.toString();
    }

    private void write(StoreState state) {
        number(state.now);
        number(state.isUntold ? 1 : 0);
        number(state.faults);
        number(state.mishaps);
        for (int place = 0; place < state.stores.size(); place++) {
            rows(place, state.stores.get(place));
        }
        state.servers.forEach(server -> number(server.charAt(0) - '0'));
        rows(0, state.copy);
        rows(0, state.away);
        Actor[] actors = new Actor[places.length];
        IntStream.range(0, places.length).forEach(i -> actors[places[i]] = state.actors.get(i));
        Arrays.stream(actors).forEach(this::actor);
        List<Write> late = new ArrayList<>(state.late);
        late.forEach(this::write);
        for (int[] ticks : state.owners) {
            // No clock is set back by more than a tick.
            for (int tick = Math.max(0, state.now - 2); tick < ticks.length; tick++) {
                number(owner(ticks[tick]));
            }
        }
    }

    private int owner(int tick) {
        int owner = tick % StoreState.UNTOLD;
        return owner == StoreState.FREE || owner >= StoreState.GONE ? tick : tick - owner + places[owner - 1] + 1;
    }

    /** @param place -1 where only equality of versions counts */
    private void rows(int place, @Nullable Map<String, Row> rows) {
        if (rows == null) {
            text.append(NOTHING);
            return;
        }
        number(rows.size());
        new TreeMap<>(rows).values().forEach(row -> row(place, row));
    }

    private void actor(Actor actor) {
        number(actor.command);
        number((actor.isEnded ? 1 : 0) + (actor.isAsking ? 4 : 0));
        if (actor.command >= 0) {
            random(actor.isEnded ? "" : actor.id);
            Page first = actor.first;
            rows(-1, first == null ? null : first.rows());
            number(first == null ? 0 : first.time() / StoreState.TICK);
        } else {
            rows(actor.place, actor.known.rows());
            rows(actor.place, actor.told == null ? null : actor.told.rows());
            lease(actor.lease.held());
            lease(actor.used);
            LeaseRequest sent = actor.lease.sent();
            lease(sent == null ? null : sent.lease());
            version(sent == null ? null : sent.change().expected().orElse(null));
        }
        number(actor.writes.size());
        actor.writes.forEach(this::write);
    }

    private void lease(@Nullable Lease lease) {
        if (lease == null) {
            text.append(NOTHING);
            return;
        }
        row(-1, lease.row());
        number(lease.from() / StoreState.TICK);
        number(lease.since() / StoreState.TICK);
        version(lease.unconfirmed());
    }

    private void write(Write write) {
        number(write.place());
        number(write.change().lowers() ? 1 : 0);
        version(write.change().expected().orElse(null));
        row(-1, write.change().next());
    }

    private void row(int place, Row row) {
        number(row.name().charAt(row.name().length() - 1));
        if (place >= 0) {
            String key = place + row.name();
            counts.merge(key, row.version().count(), Math::min);
            number(row.version().count() - least.getOrDefault(key, 0L));
        }
        version(row.version());
        number(row.number() >= StoreState.TICK ? row.number() / StoreState.TICK : row.number());
        number(row.state().ordinal());
        Map<String, String> fields = row.text().values();
        random(fields.getOrDefault(StoreHeader.COMMAND, ""));
        if (row.name().equals(StoreHeader.NAME)) {
            random(fields.getOrDefault(Fields.TOKEN, ""));
            random(fields.getOrDefault(StoreHeader.TARGET, ""));
            text.append(fields.getOrDefault("server", "")).append(fields.getOrDefault("window", ""));
            text.append(' ').append(fields.getOrDefault("lost", "")).append(fields.getOrDefault("longest", ""));
        } else {
            String owner = fields.getOrDefault(LeaseProtocol.OWNER, "");
            text.append(owner.isEmpty() ? NOTHING : (char) ('0' + places[owner.charAt(1) - '0']));
            text.append(fields.getOrDefault("lease", ""));
        }
    }

    private void version(@Nullable Version version) {
        if (version == null) {
            text.append(NOTHING);
            return;
        }
        random(version.random());
    }

    private void random(String random) {
        int at = random.indexOf('@');
        // What a header notes of another one: its place, and its version.
        String plain = at < 0 ? random : random.substring(random.indexOf('-') + 1);
        number(plain.isEmpty() ? 0 : names.computeIfAbsent(plain, each -> names.size() + 1));
    }

    private void number(long number) {
        text.append((char) (number + 128));
    }
}

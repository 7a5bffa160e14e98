package io.distributedid.internal.lease;

import io.distributedid.internal.lease.StoreState.Actor;
import io.distributedid.internal.lease.StoreState.Write;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The key of a state: equal for states that differ only in random texts, and in how often rows were changed. */
final class StoreKey {

    private static final char NOTHING = '-';

    private final Map<String, Integer> names = new HashMap<>();

    /** By place and name of a row: the least count of a version that the store or a process has. */
    private final Map<String, Long> least;

    private final Map<String, Long> counts = new HashMap<>();

    private final StringBuilder text = new StringBuilder(300);

    private StoreKey(Map<String, Long> least) {
        this.least = least;
    }

    static String of(StoreState state) {
        StoreKey first = new StoreKey(Map.of());
        first.write(state);
        StoreKey key = new StoreKey(first.counts);
        key.write(state);
        return key.text.toString();
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
        state.actors.forEach(this::actor);
        List<Write> late = new ArrayList<>(state.late);
        late.forEach(this::write);
        for (int[] ticks : state.owners) {
            // No clock is set back by more than a tick.
            for (int tick = Math.max(0, state.now - 2); tick < ticks.length; tick++) {
                number(ticks[tick]);
            }
        }
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
        number((actor.isEnded ? 1 : 0) + (actor.isRefused ? 2 : 0) + (actor.isAsking ? 4 : 0));
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
            text.append(fields.getOrDefault(LeaseProtocol.OWNER, "")).append(fields.getOrDefault("lease", ""));
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

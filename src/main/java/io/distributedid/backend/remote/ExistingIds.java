package io.distributedid.backend.remote;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** The largest existing ids of a sequence, of each counter. Thread-safe. */
final class ExistingIds {

    /** Where an id belongs. The step changes if the service gets another number of servers. */
    private record Counter(long step, long remainder) {}

    /** The ids of one call. Told apart by identity: each call forgets its own. */
    final class Note {

        private final Map<Counter, Long> ids = new HashMap<>();

        private Note(Collection<Long> existing, long step) {
            existing.forEach(id -> ids.merge(new Counter(step, Math.floorMod(id, step)), id, Math::max));
        }

        /** They need not be compared any more, since a server refused them. */
        void forget() {
            known.updateAndGet(before -> before.without(this));
        }

        /** They are compared by each server before it gives ids. Does nothing if they are forgotten. */
        void keep() {
            known.updateAndGet(before -> before.keeping(this));
        }
    }

    private record Known(Map<Counter, Long> kept, List<Note> underWay) {

        Known adding(Note note) {
            return new Known(
                    kept, Stream.concat(underWay.stream(), Stream.of(note)).toList());
        }

        Known without(Note note) {
            List<Note> others = new ArrayList<>(underWay);
            others.remove(note);
            return new Known(kept, List.copyOf(others));
        }

        Known keeping(Note note) {
            return underWay.contains(note) ? new Known(larger(kept, note.ids), without(note).underWay) : this;
        }

        Collection<Long> ids() {
            Map<Counter, Long> all = kept;
            for (Note each : underWay) {
                all = larger(all, each.ids);
            }
            return all.values();
        }
    }

    private final AtomicReference<Known> known = new AtomicReference<>(new Known(Map.of(), List.of()));

    private static Map<Counter, Long> larger(Map<Counter, Long> some, Map<Counter, Long> others) {
        Map<Counter, Long> all = new HashMap<>(some);
        others.forEach((counter, id) -> all.merge(counter, id, Math::max));
        return Map.copyOf(all);
    }

    /** Adds ids, which no server has compared yet. The caller keeps or forgets them at last. */
    Note add(Collection<Long> existing, long step) {
        Note note = new Note(existing, step);
        known.updateAndGet(before -> before.adding(note));
        return note;
    }

    /** Each once, ascending. */
    List<Long> all() {
        return known.get().ids().stream().distinct().sorted().toList();
    }
}

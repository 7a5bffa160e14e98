package io.distributedid.backend.remote;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The largest existing ids of a sequence, of each counter. Thread-safe. */
final class ExistingIds {

    /** Where an id belongs. The step changes if the service gets another number of servers. */
    private record Counter(long step, long remainder) {}

    /** The ids of one call. Told apart by identity: each call forgets its own. */
    final class Note {

        private final Map<Counter, Long> ids = new HashMap<>();

        /** They need not be compared any more, since a server refused them. */
        void forget() {
            end(this, false);
        }

        /** They are compared by each server before it gives ids. Does nothing if they are forgotten. */
        void keep() {
            end(this, true);
        }
    }

    // Guarded by this object.

    private final Map<Counter, Long> kept = new HashMap<>();

    private final Set<Note> underWay = new HashSet<>();

    /** Adds ids, which no server has compared yet. The caller keeps or forgets them at last. */
    synchronized Note add(Collection<Long> existing, long step) {
        Note note = new Note();
        existing.forEach(id -> note.ids.merge(new Counter(step, Math.floorMod(id, step)), id, Math::max));
        underWay.add(note);
        return note;
    }

    private synchronized void end(Note note, boolean isKept) {
        if (underWay.remove(note) && isKept) {
            addLarger(note.ids, kept);
        }
    }

    private static void addLarger(Map<Counter, Long> ids, Map<Counter, Long> all) {
        ids.forEach((counter, id) -> all.merge(counter, id, Math::max));
    }

    /** Each once, ascending. */
    synchronized List<Long> all() {
        Map<Counter, Long> all = new HashMap<>(kept);
        underWay.forEach(note -> addLarger(note.ids, all));
        return all.values().stream().distinct().sorted().toList();
    }
}

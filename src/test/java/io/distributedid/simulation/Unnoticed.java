package io.distributedid.simulation;

import io.distributedid.internal.counter.CounterRecord;
import io.distributedid.internal.counter.Witness;
import org.jspecify.annotations.Nullable;

/**
 * The excuses: losses that counters.md says nobody notices. A run does not do them, and does what the documentation
 * asks of an operator. All are here:
 *
 * <ol>
 *   <li>"A byte copy of a data directory keeps its identity. If it is an old one, it is noticed by processes that had
 *       later ids, and by the other servers' records, which are up to sixteen blocks of each process old. A server that
 *       stands alone is compared with the ids in the entities' tables only": see {@link #who}.
 *   <li>"A table that is replaced by an older copy of itself, rows included, while clients are connected: only a
 *       process that has seen later ids notices. Stop the clients before you load a dump": {@link #who} asks whether
 *       all have. Where only processes notice, no new one starts until the operator has repaired the counter, and no
 *       request is under way that its sender has given up: it would move the counter past what they know.
 *   <li>"A backup that is restored on another machine looks like a promoted replica, and is raised by max_distance
 *       only", and "A replica must include every earlier failover": see {@link #mayTakeOver}.
 *   <li>"All servers lose a counter together with its record: refuse to start if the database of the entities remembers
 *       the token, which is gone; else begin with 1": not if the server stands alone, and keeps its claim.
 *   <li>"Clients with SQL of their own do not read the record ... Do not use them together with ticket.numbering=client
 *       or with a divided sequence table": see {@link #allowsPlainClients}.
 *   <li>"Two copies of a server that run at once, each with its own clients, give the same ids": an address leads to
 *       another id space, or to an empty server, and not to a copy.
 *   <li>"A server that loses commits in a crash is warned of at start": a server that stops keeps its commits; a crash
 *       without the last ones is the first excuse.
 * </ol>
 */
final class Unnoticed {

    /** Who notices that a server has an older copy of its counters. */
    enum By {
        /** Everybody, since the records tell. */
        RECORDS,
        /** The processes that run. */
        PROCESSES,
        NOBODY
    }

    private Unnoticed() {}

    /**
     * @param older what the server will have
     * @param breaksConnections whether all look again; else a process draws on if it knows of no later id
     */
    static By who(Scene scene, MemoryServer server, Stored older, boolean breaksConnections) {
        boolean isAllThatIsKnown = scene.setup().servers() == 1
                && !older.records()
                        .keySet()
                        .containsAll(server.stored().records().keySet());
        if (isAllThatIsKnown || forgetsRetirement(server.stored(), older)) {
            return By.NOBODY;
        }
        boolean byRecords = true;
        boolean byProcesses = true;
        for (MemoryKey key : scene.setup().keys()) {
            @Nullable Long now = server.stored().row(key.key());
            @Nullable Long then = older.row(key.key());
            if (now == null || now.equals(then)) {
                continue;
            }
            boolean known = isKnownToAll(scene, server, key, then);
            byProcesses &= known;
            byRecords &= isRecorded(scene, server, older, key, then)
                    && (breaksConnections || known || (then == null && !key.isTicketTable()));
        }
        if (byRecords) {
            return By.RECORDS;
        }
        return byProcesses ? By.PROCESSES : By.NOBODY;
    }

    private static boolean forgetsRetirement(Stored now, Stored older) {
        return now.records().entrySet().stream().anyMatch(each -> {
            CounterRecord before = older.records().get(each.getKey());
            return each.getValue().isRetired() && (before == null || !before.isRetired());
        });
    }

    /** A process that has not opened the sequence yet may have seen the counter, and not believe it. */
    private static boolean isKnownToAll(Scene scene, MemoryServer server, MemoryKey key, @Nullable Long then) {
        return scene.applications().stream().allMatch(each -> {
            @Nullable Long known = scene.network().known(each.host(), server, key.key());
            return each.isOpen(key.sequence()) && known != null && known > (then == null ? 0 : then);
        });
    }

    private static boolean isRecorded(
            Scene scene, MemoryServer server, Stored older, MemoryKey key, @Nullable Long then) {
        long offset = scene.offset(server);
        boolean isRowLost =
                then == null && !key.isTicketTable() && older.records().containsKey(key.key());
        boolean isBelow = isBelow(older, older, key.key(), then, offset)
                || older.floor(key.key()) - (then == null ? 0 : then) >= scene.increment();
        return isRowLost
                || isBelow
                || (!Open.isMarkedThoughThere(scene, server, older, key)
                        && isRecordedElsewhere(scene, server, older, key, then));
    }

    private static boolean isRecordedElsewhere(
            Scene scene, MemoryServer server, Stored older, MemoryKey key, @Nullable Long then) {
        long offset = scene.offset(server);
        return scene.servers().stream()
                .filter(other -> other != server && scene.isListed(other))
                .filter(other -> Open.asksForNotes(scene, other))
                .anyMatch(other -> isBelow(older, other.stored(), key.key(), then, offset)
                        || lacksNote(other.stored(), key.key(), offset)
                        || (!older.records().containsKey(key.key())
                                && other.stored().records().containsKey(key.key())));
    }

    /** Each record has a note of every server: one without it must not be an excuse. */
    private static boolean lacksNote(Stored other, String key, long offset) {
        return other.records().containsKey(key) && !other.witnesses(key).containsKey(offset);
    }

    private static boolean isBelow(Stored older, Stored notes, String key, @Nullable Long then, long offset) {
        Witness note = notes.witnesses(key).get(offset);
        long generation = older.generation(key);
        return note != null
                && !note.isNotCreated()
                && (generation < note.generation()
                        || (generation == note.generation() && (then == null ? 0 : then) < note.last()));
    }

    /** Whether a replica lacks no earlier failover, and no more than max_distance is made up for. */
    static boolean mayTakeOver(Scene scene, MemoryServer server, Stored replica) {
        boolean hasClaims = replica.claims().equals(server.stored().claims())
                && replica.records()
                        .keySet()
                        .containsAll(server.stored().records().keySet());
        return hasClaims
                && scene.setup().keys().stream().map(MemoryKey::key).allMatch(key -> {
                    boolean includesFailovers = server.isOriginal()
                            || (replica.records().containsKey(key)
                                    && replica.records().get(key).identity().equals(server.identity()));
                    @Nullable Long now = server.stored().row(key);
                    @Nullable Long then = replica.row(key);
                    long lag = (now == null ? 0 : now) - (then == null ? 0 : then);
                    return now == null
                            || (includesFailovers && replica.records().containsKey(key) && lag < 1_000_000);
                });
    }

    /** Whether other programs may draw from a server, beside the library. */
    static boolean allowsPlainClients(Setup setup) {
        return setup.isNumberedByServer() || setup.servers() == 1;
    }
}

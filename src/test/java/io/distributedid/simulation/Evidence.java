package io.distributedid.simulation;

import io.distributedid.internal.counter.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who notices that a server has an older copy of its counters. It knows that from the requests that servers did, and
 * from what the protocol says of them, not from what the code wrote: a server remembers the last id that it gave of a
 * counter; and each draw notes how far its process had drawn from the other servers.
 *
 * <p>The excuses, which a run leaves out:
 *
 * <ol>
 *   <li>"both tables restored, or emptied: no: only the application's token, its largest ids, the identity", of a lone
 *       server: {@link #who}.
 *   <li>"What was drawn after the last note about a server is not remembered elsewhere: if that server comes back with
 *       an older copy of both tables ... only a running process notices": {@link #isNoted}. While only processes
 *       notice, no other one starts.
 *   <li>The same, of a table that is replaced while clients are connected: a process that knows no later id draws on,
 *       since no connection breaks. So does one that is brought there by a late draw, which moves the counter.
 *   <li>"or a replica that lags by more than twice max_distance": {@link #mayTakeOver}.
 *   <li>"all servers that answer are read": a process that leaves a server out does not see its notes.
 * </ol>
 */
final class Evidence {

    /** Who notices. */
    enum By {
        EVERYBODY,
        /** The processes that run. */
        PROCESSES,
        NOBODY
    }

    private static final long MAX_DISTANCE = 1_000_000;

    private final Scene scene;

    /** By server and counter: how many losses nobody has made up for. */
    private final Map<String, Integer> losses = new HashMap<>();

    /** Whether losses are made up for by now: until then, another server holds what shows them. */
    private final List<BooleanSupplier> open = new ArrayList<>();

    private boolean areReadsStale;

    Evidence(Scene scene) {
        this.scene = scene;
    }

    /** From now on, what is lost shows in some answers only. */
    void staleReads() {
        areReadsStale = true;
    }

    /** A server may have lost ids of each counter, or another one has taken its place. */
    void lost(MemoryServer server) {
        scene.setup().keys().forEach(key -> losses.merge(server + " " + key.key(), 1, Integer::sum));
    }

    /** Nobody has looked yet. */
    void isOpenUntil(BooleanSupplier mended) {
        open.add(mended);
    }

    /** Whether a loss is open that another one could hide. */
    boolean isAnyOpen() {
        return !open.stream().allMatch(BooleanSupplier::getAsBoolean);
    }

    /** A server has done a change. */
    void changed(MemoryServer server, Write write) {
        if (write.change() instanceof Write.ToRow to && to.isLoss()) {
            int left = losses.merge(server + " " + to.counter().ledgerRow(), -1, Integer::sum);
            if (left < 0 && !areReadsStale) {
                scene.judge().blame("Nothing was lost, but a counter was raised: " + server + " " + to);
            }
        }
    }

    /** @param breaks whether connections break, so that all look again */
    By who(MemoryServer server, LedgerContent after, boolean breaks) {
        By all = By.EVERYBODY;
        for (MemoryKey key : scene.setup().keys()) {
            By by = who(server, after, key, breaks);
            all = by.compareTo(all) > 0 ? by : all;
        }
        return all;
    }

    private By who(MemoryServer server, LedgerContent after, MemoryKey key, boolean breaks) {
        LedgerContent before = server.content();
        @Nullable Long now = before.row(key.key());
        @Nullable Long then = after.row(key.key());
        if (now == null || (then != null && then >= now)) {
            return By.EVERYBODY;
        }
        boolean isKnown = isKnownToAll(server, key, then);
        boolean isShown = after.hasRow(key) || isNamed(server, after, key)
                ? then == null
                        || then + scene.increment() <= after.trace(key.key()).number()
                        || ((breaks || isKnown) && (isLeftBehind(server, after, key) || isNoted(server, after, key)))
                : isMissed(server, after, key);
        return isShown ? By.EVERYBODY : isKnown ? By.PROCESSES : By.NOBODY;
    }

    private boolean isKnownToAll(MemoryServer server, MemoryKey key, @Nullable Long then) {
        return scene.applications().stream()
                .allMatch(each ->
                        each.isOpen(key.sequence()) && each.drawn(server, key.key()) > (then == null ? 0 : then));
    }

    private boolean isNoted(MemoryServer server, LedgerContent after, MemoryKey key) {
        return scene.listed().stream()
                .filter(other -> other != server && isAsked(other))
                .map(other -> other.content().trace(key.key()).notes())
                .anyMatch(notes -> notes.getOrDefault(scene.offset(server), 0L)
                        > after.trace(key.key()).number());
    }

    /** Whether all others name the new row that came back: it is opened, as if it had never been. */
    private boolean isNamed(MemoryServer server, LedgerContent after, MemoryKey key) {
        List<MemoryServer> others = scene.listed().stream()
                .filter(other -> other != server && isAsked(other))
                .toList();
        return !others.isEmpty()
                && others.stream().allMatch(other -> other.content().names(key, scene.offset(server), after));
    }

    private boolean isLeftBehind(MemoryServer server, LedgerContent after, MemoryKey key) {
        return scene.listed().stream()
                .filter(other -> other != server && isAsked(other))
                .anyMatch(other -> other.content().era(key) > after.era(key));
    }

    /** Whether the row is missed by another server, or the whole table by somebody. */
    private boolean isMissed(MemoryServer server, LedgerContent after, MemoryKey key) {
        boolean isElsewhere = scene.listed().stream()
                .filter(other -> other != server && isAsked(other))
                .anyMatch(other -> other.content().hasRow(key));
        return isElsewhere || (after.token(key).isEmpty() && scene.places().isRemembered(key.sequence()));
    }

    private boolean isAsked(MemoryServer server) {
        return scene.applications().stream().noneMatch(each -> scene.network().mayLeaveOut(each.host(), server));
    }

    /** Whether a process has looked at a server since it took its place: the others know of it. */
    boolean isAccepted(MemoryServer server) {
        return server.isOriginal()
                || scene.setup().keys().stream()
                        .allMatch(key -> server.content().isOf(key, server.identity()));
    }

    /** Whether what a replica lacks is made up for. */
    boolean mayTakeOver(MemoryServer server, LedgerContent replica) {
        // A first use that names a server which is gone is never ended.
        boolean isOpen = scene.setup().keys().stream().allMatch(replica::isOpen)
                && !isAnyOpen()
                && replica.headers().equals(server.content().headers());
        return isOpen
                && scene.setup().keys().stream().allMatch(key -> {
                    @Nullable Long now = server.content().row(key.key());
                    return now == null
                            || (replica.hasRow(key)
                                    && (server.isOriginal() || replica.isOf(key, server.identity()))
                                    && now - replica.trace(key.key()).number() < 2 * MAX_DISTANCE);
                });
    }
}

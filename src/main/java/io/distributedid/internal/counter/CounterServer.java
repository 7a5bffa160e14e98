package io.distributedid.internal.counter;

import static java.util.Objects.requireNonNull;

import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One server of counters, on one connection at a time. Ids of a counter are drawn only on a connection on which it was
 * looked at and found good. A broken connection ends a look that is under way, and the changes that follow from it: the
 * next connection may lead to another server. Thread-safe.
 */
final class CounterServer {

    /**
     * A connection.
     *
     * @param ready the counters that may be drawn from
     */
    record Connected(CounterSession session, Set<CounterKey> ready) {}

    /** What the server held of some counters. */
    record Look(Connected on, Map<CounterKey, Seen> seen) {

        Seen seen(CounterKey counter) {
            return requireNonNull(seen.get(counter));
        }

        /** Allows draws from a counter, on the connection of this look. */
        void allowDraws(CounterKey counter) {
            on.ready.add(counter);
        }
    }

    private final int place;

    private final DedicatedConnection<CounterSession> connection;

    private final ServerPause pause;

    /** Only changed within a call. */
    private volatile @Nullable Connected connected;

    private volatile @Nullable Numbering numbering;

    /** Does not connect yet. {@code outages} is shared by all connections to the server. */
    CounterServer(
            int place, Link.Source<CounterSession> source, Duration timeout, OutageLog outages, Platform platform) {
        this.place = place;
        this.pause = new ServerPause(source.label(), outages, platform::nanoTime);
        this.connection = new DedicatedConnection<>(source, timeout, platform);
    }

    /** Of the list, from 0. */
    int place() {
        return place;
    }

    String label() {
        return connection.label();
    }

    ServerPause pause() {
        return pause;
    }

    /** For its end, and for calls of an operator that no look precedes. */
    DedicatedConnection<CounterSession> connection() {
        return connection;
    }

    /** Whether it may hang: others are asked first. */
    boolean isBusy() {
        return connection.isBusy();
    }

    /** Whether not to ask it for now: it failed and no trial has succeeded since, or it may hang. */
    boolean isLeftOut() {
        return !pause.isInUse() || isBusy();
    }

    /** As the last look said; null before the first. */
    @Nullable
    Numbering numbering() {
        return numbering;
    }

    /** Whether a counter may be drawn from on the last connection. Does not ask the server. */
    boolean isReady(CounterKey counter) {
        Connected last = connected;
        return last != null && last.ready.contains(counter);
    }

    @SuppressWarnings("ReferenceEquality")
    private Connected on(CounterSession session) {
        Connected known = connected;
        if (known == null || known.session != session) {
            known = new Connected(session, ConcurrentHashMap.newKeySet());
            connected = known;
        }
        return known;
    }

    /** Looks at counters of one table. Fails if another call takes long. */
    Look look(Collection<CounterKey> counters) throws SQLException, InterruptedException {
        return connection.callUnlessBusy(session -> look(session, counters, true));
    }

    /** As above, for an operator: waits for other calls. */
    Look look(Collection<CounterKey> counters, boolean forChanges) throws SQLException, InterruptedException {
        return connection.call(session -> look(session, counters, forChanges));
    }

    private Look look(CounterSession session, Collection<CounterKey> counters, boolean forChanges) throws SQLException {
        Map<CounterKey, Seen> seen = session.look(counters, forChanges);
        numbering = seen.values().iterator().next().numbering();
        return new Look(on(session), seen);
    }

    /**
     * Makes changes of several rows that follow from looks, on the connection of those.
     *
     * @param writes with the look that each follows from
     * @return those that were made
     */
    @SuppressWarnings("ReferenceEquality")
    Set<Write> write(Map<Write, Look> writes) throws SQLException, InterruptedException {
        return connection.call(session -> {
            List<Write> possible = writes.keySet().stream()
                    .filter(write -> requireNonNull(writes.get(write)).on.session == session)
                    .sorted(Comparator.comparing(
                            write -> write.change().counter().ledgerRow()))
                    .toList();
            return possible.isEmpty() ? Set.of() : session.write(possible);
        });
    }

    /** Draws, one call after the other. Fails if another call takes long. */
    <T> T draw(DedicatedConnection.Work<Connected, T> work) throws SQLException, InterruptedException {
        return connection.callUnlessBusy(session -> work.in(on(session)));
    }
}

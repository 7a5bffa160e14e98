package io.distributedid.internal.counter;

import static java.util.Objects.requireNonNull;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One server of counters, on one connection at a time. On each new connection, a counter must be looked at and
 * {@link #trust trusted} before ids are drawn. The class is long because it holds all that runs under the lock of the
 * connection. Not final: a test replaces its answers. Thread-safe.
 */
class CounterServer<C extends CounterKey> implements AutoCloseable {

    /** Every sixteenth block also writes a {@link WitnessNote}. */
    private static final int BLOCKS_PER_NOTE = 16;

    /** Attempts to read a counter while others change it. */
    private static final int READS = 100;

    /** A counter from which ids may be drawn on the present connection. */
    private static final class Trusted {

        private final StoredCounter stored;

        private final Fence fence;

        private int blocks;

        Trusted(StoredCounter stored, Fence fence) {
            this.stored = stored;
            this.fence = fence;
        }

        long generation() {
            return fence.generation();
        }
    }

    private record Checked<C extends CounterKey>(CounterSession<C> session, Map<C, Trusted> trusted) {}

    private final int place;

    private final DedicatedConnection<CounterSession<C>> database;

    private final ServerPause pause;

    private volatile @Nullable Numbering numbering;

    /** Of the last connection. Only changed within a call. */
    private volatile @Nullable Checked<C> checked;

    /** Does not connect yet. {@code outages} is shared by all connections to the server. */
    CounterServer(
            int place, Link.Source<CounterSession<C>> source, Duration timeout, OutageLog outages, Platform platform) {
        this.place = place;
        this.pause = new ServerPause(source.label(), outages, platform::nanoTime);
        this.database = new DedicatedConnection<>(source, timeout, platform);
    }

    private <T> T call(DedicatedConnection.Work<Checked<C>, T> work) throws SQLException, InterruptedException {
        return database.call(session -> work.in(checked(session)));
    }

    private <T> T callUnlessBusy(DedicatedConnection.Work<Checked<C>, T> work)
            throws SQLException, InterruptedException {
        return database.callUnlessBusy(session -> work.in(checked(session)));
    }

    /** On a new connection, no counter is trusted. */
    @SuppressWarnings("ReferenceEquality")
    private Checked<C> checked(CounterSession<C> session) {
        Checked<C> known = checked;
        if (known == null || known.session != session) {
            known = new Checked<>(session, new HashMap<>());
            checked = known;
            numbering = session.numbering();
        }
        return known;
    }

    String label() {
        return database.label();
    }

    int place() {
        return place;
    }

    ServerPause pause() {
        return pause;
    }

    /** Whether it may hang: others are asked first. */
    boolean isBusy() {
        return database.isBusy();
    }

    /** Whether not to ask it for now: it failed and no trial has succeeded since, or it may hang. */
    boolean isLeftOut() {
        return !pause.isInUse() || isBusy();
    }

    /** Null before the first connection. */
    @Nullable
    Numbering numbering() {
        return numbering;
    }

    /** Connects if necessary. */
    Numbering connect() throws SQLException, InterruptedException {
        return call(checked -> checked.session.numbering());
    }

    /** Looks at a counter. Changes nothing, except that it creates the counter's table if the settings say so. */
    Seen look(C counter, CounterHistory history) throws SQLException, InterruptedException {
        return callUnlessBusy(checked -> {
            Seen seen = look(counter, checked);
            history.judge(seen);
            return seen;
        });
    }

    /** As above, for an operator: neither uses nor changes what this process knows. */
    Seen look(C counter) throws SQLException, InterruptedException {
        return call(checked -> look(counter, checked));
    }

    /**
     * Looks at several counters of one {@linkplain CounterKey#group group}, in a few trips. Leaves out those that must
     * be looked at one by one.
     *
     * @param history of each counter
     */
    Map<C, Seen> lookTogether(List<C> counters, Function<C, CounterHistory> history)
            throws SQLException, InterruptedException {
        return callUnlessBusy(checked -> {
            Map<C, Seen> seen = JointLook.on(place, label(), checked.session, counters);
            seen.forEach((counter, each) -> history.apply(counter).judge(each));
            return seen;
        });
    }

    /** As {@link #look}, but never creates a table. */
    Seen read(C counter, CounterHistory history) throws SQLException, InterruptedException {
        return call(checked -> {
            Seen seen = look(counter, checked, checked.session.openToRead(counter));
            history.judge(seen);
            return seen;
        });
    }

    private Seen look(C counter, Checked<C> checked) throws SQLException {
        return look(counter, checked, checked.session.open(counter));
    }

    /** Reads until the record is the same before and after the counter: then they belong together. */
    private Seen look(C counter, Checked<C> checked, StoredCounter stored) throws SQLException {
        CounterSession<C> session = checked.session;
        RecordStore record = stored.record();
        for (int attempt = 1; ; attempt++) {
            String key = record.key(stored.storedName());
            RecordRows rows = record.read(key);
            OptionalLong last = stored.last();
            if (rows.counter().equals(record.read(key).counter())) {
                return new Seen(
                        place,
                        label(),
                        session.numbering(),
                        stored.identity(),
                        rows.claim(),
                        rows.counter(),
                        rows.witnesses(),
                        last,
                        stored.slack(),
                        stored.largest(),
                        false,
                        session);
            }
            if (attempt == READS) {
                throw new SQLException("The counter changed again and again while it was read: " + counter);
            }
        }
    }

    /**
     * Allows draws from a counter that was looked at and found good. Returns false if the connection has changed since.
     */
    boolean trust(C counter, Seen seen) throws SQLException, InterruptedException {
        return trustTogether(Map.of(counter, seen)).contains(counter);
    }

    /** As {@link #trust}, for several counters. Returns those that are trusted. */
    Set<C> trustTogether(Map<C, Seen> all) throws SQLException, InterruptedException {
        return call(checked -> {
            Set<C> trusted = new HashSet<>();
            for (Map.Entry<C, Seen> each : all.entrySet()) {
                if (each.getValue().isOn(checked.session)) {
                    checked.trusted.put(each.getKey(), trusted(each.getKey(), each.getValue(), checked.session));
                    trusted.add(each.getKey());
                }
            }
            return trusted;
        });
    }

    private static <C extends CounterKey> Trusted trusted(C counter, Seen seen, CounterSession<C> session)
            throws SQLException {
        StoredCounter stored = session.open(counter);
        RecordStore record = stored.record();
        String key = record.key(stored.storedName());
        return new Trusted(stored, new Fence(record.table(), key, seen.generation()));
    }

    /** Whether a counter was seen on the last connection. Does not ask the server. */
    boolean isOnLastConnection(Seen seen) {
        Checked<C> last = checked;
        return last != null && seen.isOn(last.session);
    }

    /**
     * Draws ids. Every sixteenth block also writes down how far all servers have come.
     *
     * @return empty if the server must be looked at first
     */
    Optional<Block> reserve(C counter, long wanted, CounterHistory history, List<CounterServer<C>> servers)
            throws SQLException, InterruptedException {
        return callUnlessBusy(checked -> {
            Trusted trusted = checked.trusted.get(counter);
            if (trusted == null) {
                return Optional.empty();
            }
            Optional<Block> block = trusted.stored.reserve(draw(trusted, wanted, history, servers));
            if (block.isEmpty() || !history.isGood(place, block.get(), trusted.generation())) {
                checked.trusted.remove(counter);
                return Optional.empty();
            }
            return block;
        });
    }

    private Draw draw(Trusted trusted, long wanted, CounterHistory history, List<CounterServer<C>> servers) {
        Optional<WitnessNote> note =
                trusted.blocks++ % BLOCKS_PER_NOTE == 0 ? note(trusted.fence, history, servers) : Optional.empty();
        long lastKnown = history.lastKnown(place, trusted.generation());
        return new Draw(wanted, lastKnown, history.furthest(place), trusted.fence, note);
    }

    /**
     * Ids that are wanted of one counter, and the block that was drawn.
     *
     * @param <C> names the counter
     */
    static final class Wanted<C> {

        private final C counter;

        private final CounterHistory history;

        private final long count;

        private @Nullable Block block;

        private boolean isLocked;

        private boolean isTrusted = true;

        Wanted(C counter, CounterHistory history, long count) {
            this.counter = counter;
            this.history = history;
            this.count = count;
        }

        /** Null if nothing was drawn. */
        @Nullable
        Block block() {
            return block;
        }

        /** False if nothing was drawn since the counter must be looked at first. */
        boolean isTrusted() {
            return isTrusted;
        }

        /** Whether nothing was drawn since another transaction has locked the counter. */
        boolean isLocked() {
            return isLocked;
        }
    }

    /**
     * Draws from several counters as {@link #reserve} does, if possible in few round trips. What is drawn is kept with
     * each of them, also if the server fails later on. A counter that is to be looked at first gets nothing.
     *
     * @param wanted by counter, in the order in which all processes draw from them
     */
    void reserve(Map<C, Wanted<C>> wanted, List<CounterServer<C>> servers) throws SQLException, InterruptedException {
        boolean unused = callUnlessBusy(checked -> {
            Map<C, Draw> draws = new LinkedHashMap<>();
            wanted.forEach((counter, each) -> {
                Trusted trusted = checked.trusted.get(counter);
                each.isTrusted = trusted != null;
                if (trusted != null) {
                    draws.put(counter, draw(trusted, each.count, each.history, servers));
                }
            });
            if (!draws.isEmpty()) {
                checked.session.reserve(
                        draws,
                        (counter, block) -> drawn(requireNonNull(wanted.get(counter)), block, checked),
                        counter -> requireNonNull(wanted.get(counter)).isLocked = true);
                draws.keySet().forEach(counter -> untrustIfRefused(requireNonNull(wanted.get(counter)), checked));
            }
            return true;
        });
    }

    private static <C extends CounterKey> void untrustIfRefused(Wanted<C> wanted, Checked<C> checked) {
        if (wanted.block == null && !wanted.isLocked) {
            checked.trusted.remove(wanted.counter);
            wanted.isTrusted = false;
        }
    }

    private void drawn(Wanted<C> wanted, Block block, Checked<C> checked) {
        Trusted trusted = requireNonNull(checked.trusted.get(wanted.counter));
        if (wanted.history.isGood(place, block, trusted.generation())) {
            wanted.block = block;
        }
    }

    /** How far the servers have come, for the record of this one; empty if there is nothing to write. */
    private static <C extends CounterKey> Optional<WitnessNote> note(
            Fence fence, CounterHistory history, List<CounterServer<C>> servers) {
        Map<Long, Witness> witnesses = new TreeMap<>();
        for (CounterServer<C> server : servers) {
            Numbering numbering = server.numbering;
            if (numbering != null && servers.size() > 1) {
                history.witness(server.place).ifPresent(witness -> witnesses.put(numbering.offset(), witness));
            }
        }
        return witnesses.isEmpty()
                ? Optional.empty()
                : Optional.of(new WitnessNote(fence.table(), fence.key(), witnesses));
    }

    /** Makes a change. Returns false if the server is no longer as it was seen. */
    boolean make(C counter, Change change) throws SQLException, InterruptedException {
        return call(checked -> {
            if (!change.seen().isOn(checked.session)) {
                return false;
            }
            StoredCounter stored = checked.session.open(counter);
            try {
                return stored.inTransaction(() -> CounterChange.make(stored, change));
            } catch (SQLException e) {
                if (SqlErrors.isDuplicateKey(e)) {
                    return false;
                }
                throw e;
            }
        });
    }

    /**
     * Makes changes of several counters of one group, in a few trips: all, or those whose record is still as it was
     * seen.
     *
     * @return the counters whose change was made
     */
    Set<C> makeTogether(Map<C, Change> changes) throws SQLException, InterruptedException {
        return call(checked -> {
            Map<C, StoredCounter.Work<Boolean>> works = new LinkedHashMap<>();
            for (Map.Entry<C, Change> each : changes.entrySet()) {
                if (each.getValue().seen().isOn(checked.session)) {
                    works.put(
                            each.getKey(),
                            () -> CounterChange.make(checked.session.open(each.getKey()), each.getValue()));
                }
            }
            Set<C> made = new HashSet<>();
            checked.session.inTransactions(works).forEach((counter, isMade) -> {
                if (isMade) {
                    made.add(counter);
                }
            });
            return made;
        });
    }

    /**
     * Hands the ends of blocks back: only under the generation that they were drawn in, and only above the floor.
     *
     * @param returned gets each counter that was lowered
     */
    void giveBack(Map<C, Block> rests, Function<C, CounterHistory> historyOf, Consumer<C> returned)
            throws SQLException, InterruptedException {
        boolean unused = call(checked -> {
            Map<C, Return> returns = new LinkedHashMap<>();
            for (Map.Entry<C, Block> each : rests.entrySet()) {
                CounterHistory history = historyOf.apply(each.getKey());
                if (checked.session.takesIdsBack() && history.mayHandBack(place, each.getValue())) {
                    String token = history.token().orElse("");
                    returns.put(each.getKey(), new Return(each.getValue(), history.generationHere(place), token));
                }
            }
            if (!returns.isEmpty()) {
                checked.session.giveBack(returns, counter -> {
                    Return done = requireNonNull(returns.get(counter));
                    historyOf
                            .apply(counter)
                            .handedBack(place, done.ids().first() - done.ids().step(), done.generation() + 1);
                    returned.accept(counter);
                });
            }
            return true;
        });
    }

    /** An operator's change of a counter and its record. */
    @FunctionalInterface
    interface Work<T> {

        T run(StoredCounter stored, String key) throws SQLException;
    }

    /** Works in a transaction on a counter that need not be trusted. */
    <T> T operate(C counter, Work<T> work) throws SQLException, InterruptedException {
        return call(checked -> {
            StoredCounter stored = checked.session.open(counter);
            RecordStore record = stored.record();
            checked.trusted.remove(counter);
            // A plain read within the transaction, before its locks, could begin a snapshot that is older than those.
            String key = record.key(stored.storedName());
            try {
                return stored.inTransaction(() -> work.run(stored, key));
            } catch (SQLException e) {
                if (!SqlErrors.isDuplicateKey(e)) {
                    throw e;
                }
                throw new IdConfigurationException(
                        "Another process has created the counter meanwhile: " + counter + " on " + label()
                                + ". Repeat the command",
                        e);
            }
        });
    }

    @Override
    public void close() {
        database.close();
    }

    void stop() {
        database.stop();
    }

    void cut() {
        database.cut();
    }

    void abandon() {
        database.abandon();
    }
}

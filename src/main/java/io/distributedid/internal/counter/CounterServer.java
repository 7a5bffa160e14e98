package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.spi.Block;
import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One server of counters. Ids are drawn on a connection only after a look at the counter on that connection was
 * {@link #trust trusted}; a new connection must be looked at anew. All that is done under the lock of the server is
 * here, which makes the class longer than most. Not final, so that a test can answer in its place. Thread-safe.
 */
class CounterServer<C extends CounterKey> implements AutoCloseable {

    /** How many blocks are drawn between two notes of how far the servers have come. */
    private static final int BLOCKS_PER_NOTE = 16;

    /** How often a counter is read that changes meanwhile. */
    private static final int READS = 100;

    /** A counter on a connection that may be drawn from. */
    private static final class Trusted {

        private final StoredCounter stored;

        private final Optional<Fence> fence;

        private int blocks;

        Trusted(StoredCounter stored, Optional<Fence> fence) {
            this.stored = stored;
            this.fence = fence;
        }

        long generation() {
            return fence.map(Fence::generation).orElse(0L);
        }
    }

    private record Checked<C extends CounterKey>(CounterSession<C> session, Map<C, Trusted> trusted)
            implements DedicatedConnection.Session {

        @Override
        public void restore() throws SQLException {
            session.restore();
        }
    }

    private final int place;

    private final DedicatedConnection<Checked<C>> database;

    private final ServerPause pause;

    private volatile @Nullable Numbering numbering;

    /** Does not connect yet. */
    CounterServer(int place, ConnectionAccess access, Duration timeout, CounterStore.Connector<C> connector) {
        this(place, access, timeout, connector, System::nanoTime);
    }

    CounterServer(
            int place,
            ConnectionAccess access,
            Duration timeout,
            CounterStore.Connector<C> connector,
            LongSupplier nanoTime) {
        this.place = place;
        this.pause = new ServerPause(access.label(), nanoTime);
        this.database = new DedicatedConnection<>(access, timeout, connection -> checked(connector, connection));
    }

    private Checked<C> checked(CounterStore.Connector<C> connector, Connection connection) throws SQLException {
        CounterSession<C> session = connector.open(connection, place);
        numbering = session.numbering();
        return new Checked<>(session, new HashMap<>());
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

    /** Whether it may hang, so that others are asked first. */
    boolean isBusy() {
        return database.isBusy();
    }

    /** Whether it is not to be asked for now: it failed and was not tried with success since, or may hang. */
    boolean isLeftOut() {
        return !pause.isInUse() || isBusy();
    }

    /** The server's part of the numbers, null before the first connection. */
    @Nullable
    Numbering numbering() {
        return numbering;
    }

    /** The server's part of the numbers, from the server. */
    Numbering connect() throws SQLException, InterruptedException {
        return database.call(checked -> checked.session.numbering());
    }

    /** Looks at a counter, and changes nothing but that it creates the counter's table, if that is set. */
    Seen look(C counter, CounterHistory history) throws SQLException, InterruptedException {
        return database.callUnlessBusy(checked -> {
            Seen seen = look(counter, checked);
            history.judge(seen);
            return seen;
        });
    }

    /** As above, for an operator: what this process knows is neither asked nor changed. */
    Seen look(C counter) throws SQLException, InterruptedException {
        return database.call(checked -> look(counter, checked));
    }

    /**
     * What was seen.
     *
     * @param hasRecord whether the record's table is there
     * @param readOnly why the server takes no changes
     */
    record Read(Seen seen, boolean hasRecord, Optional<Writability> readOnly) {}

    /** Looks at a counter, and changes nothing at all. */
    Read read(C counter, CounterHistory history) throws SQLException, InterruptedException {
        return database.call(checked -> {
            StoredCounter stored = checked.session.openToRead(counter);
            Seen seen = look(counter, checked, stored);
            history.judge(seen);
            return new Read(seen, stored.record().isThere(), Writability.missing(checked.session.connection()));
        });
    }

    /** The record and the counter belong together if the generation was the same before and after. */
    private Seen look(C counter, Checked<C> checked) throws SQLException {
        return look(counter, checked, checked.session.open(counter));
    }

    private Seen look(C counter, Checked<C> checked, StoredCounter stored) throws SQLException {
        CounterSession<C> session = checked.session;
        RecordTable record = stored.record();
        if (record.isDenied() && session.needsRecord()) {
            throw new IdConfigurationException(
                    "Servers that divide the numbers between them by their place in a list need a record of it: "
                            + counter + ". " + record.missing());
        }
        for (int attempt = 1; ; attempt++) {
            String key = record.key(stored.storedName());
            RecordTable.Rows rows = record.read(key);
            if (rows.counter().isEmpty()) {
                stored.requireNew();
            }
            OptionalLong last = stored.last();
            if (rows.counter().equals(record.read(key).counter())) {
                return new Seen(
                        place,
                        label(),
                        session.numbering(),
                        stored.identity(),
                        !record.isDenied(),
                        rows.claim(),
                        rows.counter(),
                        rows.witnesses(),
                        last,
                        stored.slack(),
                        session);
            }
            if (attempt == READS) {
                throw new SQLException("The counter changed again and again while it was read: " + counter);
            }
        }
    }

    /**
     * Lets ids be drawn from a counter that was looked at and found good. Returns whether the connection is still the
     * same.
     */
    boolean trust(C counter, Seen seen) throws SQLException, InterruptedException {
        return database.call(checked -> {
            if (!seen.isOn(checked.session)) {
                return false;
            }
            StoredCounter stored = checked.session.open(counter);
            Optional<Fence> fence = Optional.empty();
            if (seen.isRecorded()) {
                RecordTable record = stored.record();
                String key = record.key(stored.storedName());
                fence = Optional.of(new Fence(record.table(), key, seen.generation()));
            }
            checked.trusted.put(counter, new Trusted(stored, fence));
            return true;
        });
    }

    /**
     * Draws ids. Every sixteenth block takes a note of how far all the servers have come with it.
     *
     * @return empty if the server must be looked at before it is asked again
     */
    Optional<Block> reserve(C counter, long wanted, CounterHistory history, List<CounterServer<C>> servers)
            throws SQLException, InterruptedException {
        return database.callUnlessBusy(checked -> {
            Trusted trusted = checked.trusted.get(counter);
            if (trusted == null) {
                return Optional.empty();
            }
            Optional<WitnessNote> note = trusted.fence
                    .filter(fence -> trusted.blocks++ % BLOCKS_PER_NOTE == 0)
                    .flatMap(fence -> note(fence, history, servers, checked.session.notesAreFree()));
            Optional<Block> block =
                    trusted.stored.reserve(new Draw(wanted, history.lastHere(place), trusted.fence, note));
            if (block.isEmpty() || !history.isGood(place, block.get(), trusted.generation())) {
                checked.trusted.remove(counter);
                return Optional.empty();
            }
            return block;
        });
    }

    /** How far the servers have come, for the record of this one; empty if there is nothing to tell. */
    private static <C extends CounterKey> Optional<WitnessNote> note(
            Fence fence, CounterHistory history, List<CounterServer<C>> servers, boolean isFree) {
        Map<Long, Witness> witnesses = new TreeMap<>();
        for (CounterServer<C> server : servers) {
            Numbering numbering = server.numbering;
            if (numbering != null && (isFree || servers.size() > 1)) {
                history.witness(server.place).ifPresent(witness -> witnesses.put(numbering.offset(), witness));
            }
        }
        return witnesses.isEmpty()
                ? Optional.empty()
                : Optional.of(new WitnessNote(fence.table(), fence.key(), witnesses));
    }

    /** Makes a change, unless the server is not as it was seen any more. Returns whether it was made. */
    boolean make(C counter, Change change) throws SQLException, InterruptedException {
        return database.call(checked -> {
            if (!change.seen().isOn(checked.session)) {
                return false;
            }
            StoredCounter stored = checked.session.open(counter);
            if (change.kind() == Change.Kind.CLAIM && !stored.record().create()) {
                return false;
            }
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

    /** Hands the end of a block back: under the generation it was drawn in, and not to or below the floor. */
    boolean giveBack(C counter, Block rest, CounterHistory history) throws SQLException, InterruptedException {
        return database.call(checked -> {
            StoredCounter stored = checked.session.open(counter);
            long generation = history.generationHere(place);
            if (stored.record().isDenied() || !history.mayHandBack(place, rest)) {
                return false;
            }
            boolean done = stored.inTransaction(() -> CounterChange.giveBack(stored, rest, generation));
            if (done) {
                history.handedBack(place, rest.first() - rest.step(), generation + 1);
            }
            return done;
        });
    }

    /** What an operator does to a counter and its record. */
    @FunctionalInterface
    interface Work<T> {

        T run(StoredCounter stored, String key) throws SQLException;
    }

    /**
     * Works in a transaction on a counter that need not be trusted. The record's table is created unless it is there.
     */
    <T> T operate(C counter, Work<T> work) throws SQLException, InterruptedException {
        return database.call(checked -> {
            StoredCounter stored = checked.session.open(counter);
            RecordTable record = stored.record();
            if (!record.create()) {
                throw new IdConfigurationException(
                        "This needs the record beside the counters: " + counter + ". " + record.missing());
            }
            checked.trusted.remove(counter);
            return stored.inTransaction(() -> work.run(stored, record.key(stored.storedName())));
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

package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.Database;
import io.distributedid.spi.Block;
import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One server of counters. Each counter is checked against its {@link Floor} on every new connection. Thread-safe. */
final class CounterServer<C> implements AutoCloseable {

    /**
     * What came of a reservation.
     *
     * @param block empty if the server went back and was not asked
     * @param verdict what that says of the server
     */
    record Reserved(Optional<Block> block, Sides.Verdict verdict) {}

    /** A connection, and the floors that were checked on it. */
    private record Checked<C>(CounterSession<C> session, Map<C, Floor> floors) implements Database.Session {

        @Override
        public void restore() throws SQLException {
            session.restore();
        }
    }

    /** Work on an open counter. */
    @FunctionalInterface
    private interface Work<C, T> {

        T in(CounterSession<C> session) throws SQLException;
    }

    private final int place;

    private final Database<Checked<C>> database;

    private volatile @Nullable Numbering numbering;

    /** Connects at the first call. */
    CounterServer(int place, ConnectionAccess access, Duration timeout, CounterServers.SessionOpener<C> opener) {
        this.place = place;
        this.database = new Database<>(access, timeout, connection -> checked(opener, connection));
    }

    private Checked<C> checked(CounterServers.SessionOpener<C> opener, Connection connection) throws SQLException {
        CounterSession<C> session = opener.open(connection, place);
        numbering = session.numbering();
        return new Checked<>(session, new HashMap<>());
    }

    String label() {
        return database.label();
    }

    int place() {
        return place;
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

    /** Opens a counter, and tells the sides how far it has come. */
    long open(C counter, Floor floor, Sides sides) throws SQLException, InterruptedException {
        return call(counter, floor, session -> {
            long last = session.last(counter);
            sides.hear(place, last);
            return last;
        });
    }

    /** Reserves ids. The block is judged before another can follow it. */
    Reserved reserve(C counter, Floor floor, Sides sides, long wanted) throws SQLException, InterruptedException {
        return call(counter, floor, session -> {
            Optional<Block> block =
                    sides.hasGoneBack(place) ? Optional.empty() : session.reserve(counter, wanted, sides.own(place));
            return new Reserved(
                    block, block.map(found -> sides.judge(place, found)).orElseGet(() -> sides.wentBack(place)));
        });
    }

    void raise(C counter, Floor floor, Sides sides, long above) throws SQLException, InterruptedException {
        call(counter, floor, session -> {
            session.raise(counter, above);
            sides.raised(place);
            return above;
        });
    }

    boolean giveBack(C counter, Floor floor, Block rest) throws SQLException, InterruptedException {
        return call(counter, floor, session -> session.giveBack(counter, rest));
    }

    String raiseSql(C counter, Floor floor, String id) throws SQLException, InterruptedException {
        return call(counter, floor, session -> session.raiseSql(counter, id));
    }

    private <T> T call(C counter, Floor floor, Work<C, T> work) throws SQLException, InterruptedException {
        return database.call(checked -> {
            CounterSession<C> session = checked.session;
            session.open(counter);
            if (!floor.equals(checked.floors.get(counter))) {
                require(session, counter, floor);
                checked.floors.put(counter, floor);
            }
            return work.in(session);
        });
    }

    private void require(CounterSession<C> session, C counter, Floor floor) throws SQLException {
        long last = session.last(counter);
        long next = session.numbering().after(last);
        if (next <= floor.raiseAbove()) {
            session.raise(counter, floor.raiseAbove());
            return;
        }
        long existing = floor.existingOf(session.numbering());
        if (next <= existing) {
            throw new IdConfigurationException("A counter would give ids that exist: " + counter + " on " + label()
                    + " id=" + Math.max(0, last) + ", but there is an id " + existing + " already. Set"
                    + " distributedid.existing_ids=raise, or raise it: "
                    + session.raiseSql(
                            counter, Long.toString(session.numbering().atLeast(existing))));
        }
    }

    @Override
    public void close() {
        database.close();
    }
}

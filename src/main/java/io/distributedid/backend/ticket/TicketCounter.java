package io.distributedid.backend.ticket;

import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.RecordTable;
import io.distributedid.internal.counter.StoredCounter;
import io.distributedid.internal.jdbc.Transactions;
import java.sql.Connection;
import java.sql.SQLException;

/** Draws tickets from one table on one connection. For one thread at a time. */
abstract class TicketCounter implements StoredCounter {

    /** A table that exists, the server's numbering and identity, and the record beside the table. */
    record Place(Connection connection, TicketTable table, Numbering numbering, RecordTable record, String identity) {}

    private final Place place;

    TicketCounter(Place place) {
        this.place = place;
    }

    @Override
    public final RecordTable record() {
        return place.record;
    }

    @Override
    public final String identity() {
        return place.identity;
    }

    @Override
    public final String storedName() {
        return place.table.rowName();
    }

    final TicketTable table() {
        return place.table;
    }

    final Connection connection() {
        return place.connection;
    }

    @Override
    public abstract long largest();

    /** Whether its changes and those of other tables can be made in one transaction. */
    boolean sharesTransactions() {
        return true;
    }

    @Override
    public final void raise(long above) throws SQLException {
        raiseTo(lastBelow(above));
    }

    /** The last number that is not given, so that the next ones lie above {@code above}; 0 if all may be given. */
    final long lastBelow(long above) {
        return above > 0 ? place.numbering.atLeast(above) : 0;
    }

    /** Raises the counter, so that the next tickets lie above {@code last}: a number of this server, or 0. */
    abstract void raiseTo(long last) throws SQLException;

    @Override
    public <T> T inTransaction(Work<T> work) throws SQLException {
        return Transactions.run(place.connection, work::run);
    }
}

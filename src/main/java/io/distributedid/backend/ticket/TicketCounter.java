package io.distributedid.backend.ticket;

import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Transactions;
import io.distributedid.spi.Block;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Draws tickets from one table on one connection. For one thread at a time. */
interface TicketCounter {

    /** The last ticket drawn; 0 or less if there is none. */
    long last() throws SQLException;

    /**
     * How much lower than a ticket of ours {@link #last} may be: a plain REPLACE that drew its number before ours may write it after. To be
     * called after {@link #last}.
     */
    default long slack() throws SQLException {
        return 0;
    }

    /**
     * Draws tickets, unless the counter has certainly gone back or its record has changed: it is then left as it is.
     *
     * @return empty if nothing was drawn
     * @throws SQLException also if the server did not do as told
     * @throws io.distributedid.IdsExhaustedException if the column holds no more
     */
    Optional<Block> reserve(Draw draw) throws SQLException;

    /** Makes sure that the next tickets lie above {@code last}, which is one of the server's own numbers, or 0. In a transaction. */
    void raise(long last) throws SQLException;

    /** Works in a transaction in which the record's row can be locked before the ticket's. */
    default <T> T inTransaction(Connection connection, String recordTable, CounterSession.Work<T> work)
            throws SQLException {
        return Transactions.run(connection, work);
    }
}

package io.distributedid.ticket;

import io.distributedid.spi.Block;
import java.sql.SQLException;

/** Draws tickets from one table on one connection. For one thread at a time. */
interface TicketCounter {

    /** The last ticket drawn, 0 or less if there is none. */
    long last() throws SQLException;

    /**
     * Draws up to {@code wanted} tickets.
     *
     * @throws SQLException also if the server did not do as told
     * @throws io.distributedid.IdsExhaustedException if the column holds no more
     */
    Block reserve(long wanted) throws SQLException;

    /** Makes sure that the next tickets lie above {@code last}, which is one of the server's own numbers. */
    void raise(long last) throws SQLException;
}

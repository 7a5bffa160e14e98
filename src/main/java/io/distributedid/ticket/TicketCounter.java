package io.distributedid.ticket;

import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.util.Optional;

/** Draws tickets from one table on one connection. For one thread at a time. */
interface TicketCounter {

    /** The last ticket drawn, 0 or less if there is none. */
    long last() throws SQLException;

    /**
     * Draws up to {@code wanted} tickets, unless the counter has certainly gone back: it is then left as it is.
     *
     * @param own the last ticket that this process drew there, 0 if none
     * @return empty if the counter lies below {@code own}
     * @throws SQLException also if the server did not do as told
     * @throws io.distributedid.IdsExhaustedException if the column holds no more
     */
    Optional<Block> reserve(long wanted, long own) throws SQLException;

    /** Makes sure that the next tickets lie above {@code last}, which is one of the server's own numbers. */
    void raise(long last) throws SQLException;
}

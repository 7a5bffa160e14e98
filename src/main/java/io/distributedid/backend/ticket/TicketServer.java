package io.distributedid.backend.ticket;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.ledger.CounterLedger;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The SQL of ticket tables that differs by product, on one connection. For one thread at a time. */
interface TicketServer {

    /**
     * What a table held.
     *
     * @param last the last id that was written; empty if there is none
     * @param largest the largest id that the table gives
     */
    record Found(OptionalLong last, long largest) {}

    /** Whether the last id that was written does not tell how far the counter is. */
    boolean isBlind();

    /**
     * Reads the definitions of tables of one schema that are not known yet, in few trips.
     *
     * @param create whether to create those that are missing
     * @throws io.distributedid.IdConfigurationException if one can't give tickets
     */
    void open(Collection<String> tables, boolean create) throws SQLException;

    /** Reads tables of one schema that are open. One that was dropped since is opened again. */
    Map<String, Found> read(Collection<String> tables, CounterLedger ledger, boolean create) throws SQLException;

    /** Draws from tables of one schema that were looked at. */
    Map<CounterKey, Drawn> draw(List<Draw> draws, CounterLedger ledger) throws SQLException;

    /** See {@link io.distributedid.internal.counter.ledger.CounterLedger.Raise}. */
    void raise(Map<CounterKey, Long> above) throws SQLException;

    /** The last id of a counter that does not fall, has the server's remainder, and has its next one above another. */
    static long raised(Numbering numbering, long last, long above) {
        long raised = Math.max(last, Math.max(0, numbering.after(above) - numbering.increment()));
        return raised == 0 ? 0 : numbering.atLeast(raised);
    }

    /** See {@link io.distributedid.internal.counter.CounterSession#drawNumber}. */
    default void drawNumber(CounterKey counter, CounterLedger ledger) throws SQLException {
        throw new IllegalStateException("A look shows how far the counter is: " + counter);
    }

    /** Undoes what was changed for the session. */
    default void restore() throws SQLException {}
}

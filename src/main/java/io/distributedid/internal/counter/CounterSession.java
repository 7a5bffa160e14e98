package io.distributedid.internal.counter;

import io.distributedid.internal.counter.sql.Writability;
import io.distributedid.internal.jdbc.DedicatedConnection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A connection to a server of counters. All counters of one call are of one table. For one thread at a time.
 *
 * <p>The lock order of every change and every draw: rows of the ledger in the order of their names, then counters in
 * the order of theirs.
 */
public interface CounterSession extends DedicatedConnection.Session {

    /**
     * Reads what the server holds of counters, in one trip if it can, each in one consistent state. Changes nothing,
     * except that it creates missing tables if the settings say so.
     *
     * @param counters at least one
     * @param forChanges whether changes follow; if not, no table is created
     * @throws io.distributedid.IdConfigurationException if the tables must not be used: with the reason and the fix
     */
    Map<CounterKey, Seen> look(Collection<CounterKey> counters, boolean forChanges) throws SQLException;

    /**
     * Draws ids in one transaction, if the server can. Waits for no counter that another transaction holds, if the
     * server can tell. A refused draw leaves a sequence table as it is. A ticket table moves on if the row is open
     * under the version: if the number that was drawn is known already, the row is marked as lost.
     *
     * @param draws at least one, in the order of their counters' names
     * @return an answer to each. All that was given is durable
     * @throws SQLException if the server failed; then nothing was given, and ids may be lost
     */
    Map<CounterKey, Drawn> draw(List<Draw> draws) throws SQLException;

    /**
     * Makes changes of several rows, each by itself, in few trips if the server can.
     *
     * @param writes of different rows, those of counters in the order of their names
     * @return those whose row has the version of the change now; the others had another version than expected. For a
     *     note: those that were as expected
     * @throws SQLException if the server failed; some of the changes may have been made
     */
    Set<Write> write(List<Write> writes) throws SQLException;

    /**
     * All counters of the table of one, as the table or the ledger names them: also those that have lost one of both.
     *
     * <p>By default that one, which is alone in its table.
     */
    default Set<CounterKey> counters(CounterKey one) throws SQLException {
        return Set.of(one);
    }

    /**
     * For a command: draws one number from a ticket table, whatever its row says, and marks the row as lost if it was
     * drawn before. The next look shows the number as the counter.
     *
     * <p>By default fails: each look at another store shows how far a counter is.
     */
    default void drawNumber(CounterKey counter) throws SQLException {
        throw new IllegalStateException("A look shows how far the counter is: " + counter);
    }

    @Override
    default boolean outlivesRefusals() {
        return true;
    }

    /** Why the server refuses changes; empty if it accepts them, or if a look says that. */
    default Optional<Writability> whyReadOnly() throws SQLException {
        return Optional.empty();
    }
}

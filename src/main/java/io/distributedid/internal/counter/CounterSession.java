package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.spi.Block;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A connection to a server of counters. For one thread at a time.
 *
 * @param <C> names a counter
 */
public interface CounterSession<C extends CounterKey> extends DedicatedConnection.Session {

    /** The server's part of the numbers. It never changes on one connection. */
    Numbering numbering();

    /**
     * Checks, once on this connection, that the counter's table is there and fits the settings of this client.
     *
     * @throws io.distributedid.IdConfigurationException if the table must not be used
     */
    StoredCounter open(C counter) throws SQLException;

    /**
     * As {@link #open}, but never creates a table.
     *
     * @throws io.distributedid.IdConfigurationException if the table is missing, or must not be used
     */
    StoredCounter openToRead(C counter) throws SQLException;

    /**
     * Opens several counters of one {@linkplain CounterKey#group group} as {@link #open} does, if possible in few
     * trips.
     *
     * <p>By default opens the first one, whose table is that of the others.
     *
     * @return those that are open; the others are to be opened one by one, and that will say what is wrong with them
     */
    default List<C> openTogether(List<C> counters) throws SQLException {
        open(counters.get(0));
        return counters;
    }

    /**
     * Draws from several open counters, if possible in few round trips. Waits for no counter that another transaction
     * has locked, if the server can tell. A counter that {@link StoredCounter#reserve} would not draw from, or would
     * refuse, is left out.
     *
     * <p>By default draws from one after the other.
     *
     * @param draws in the order in which counters are drawn from
     * @param drawn gets each block when its reservation is durable
     * @param locked gets each counter that is locked
     * @throws SQLException if the server failed. What {@code drawn} got before that is reserved
     */
    default void reserve(Map<C, Draw> draws, BiConsumer<C, Block> drawn, Consumer<C> locked) throws SQLException {
        for (Map.Entry<C, Draw> each : draws.entrySet()) {
            C counter = each.getKey();
            try {
                open(counter).reserve(each.getValue()).ifPresent(block -> drawn.accept(counter, block));
            } catch (IdConfigurationException | IdsExhaustedException e) {
                // The counter is asked alone after this call. Then its caller gets the reason.
                System.getLogger(CounterSession.class.getName())
                        .log(Level.DEBUG, "A counter is left out of a batch: " + counter, e);
            }
        }
    }

    /** Whether {@link StoredCounter#giveBack} may lower a counter. */
    default boolean takesIdsBack() {
        return false;
    }

    /**
     * Lowers several open counters as {@link CounterChange#giveBack} lowers one. By default in a transaction for each.
     *
     * @param returns by counter
     * @param returned gets each counter that was lowered, when that is durable
     */
    default void giveBack(Map<C, Return> returns, Consumer<C> returned) throws SQLException {
        for (Map.Entry<C, Return> each : returns.entrySet()) {
            StoredCounter stored = open(each.getKey());
            if (stored.inTransaction(each.getValue().to(stored))) {
                returned.accept(each.getKey());
            }
        }
    }

    /**
     * Reads how far several open counters of one group have come, if possible in few trips. Leaves out those that are
     * to be read one by one. Afterwards {@link StoredCounter#storedName} of a counter with a row asks no server.
     */
    default Map<C, LastId> lastTogether(List<C> counters) throws SQLException {
        Map<C, LastId> last = new LinkedHashMap<>();
        for (C each : counters) {
            last.put(each, LastId.of(open(each)));
        }
        return last;
    }

    /**
     * Reads the records of several open counters of one group, if possible in few trips. Leaves out those that are to
     * be read one by one.
     */
    Map<C, RecordRows> recordsTogether(List<C> counters) throws SQLException;

    /**
     * Works in a transaction for each counter, if possible in few trips. Leaves out those whose work fails since
     * another client was faster.
     *
     * <p>By default in one after the other.
     *
     * @return the results by counter
     */
    default <T> Map<C, T> inTransactions(Map<C, StoredCounter.Work<T>> works) throws SQLException {
        Map<C, T> results = new LinkedHashMap<>();
        for (Map.Entry<C, StoredCounter.Work<T>> each : works.entrySet()) {
            try {
                results.put(each.getKey(), open(each.getKey()).inTransaction(each.getValue()));
            } catch (SQLException e) {
                if (!SqlErrors.isDuplicateKey(e)) {
                    throw e;
                }
            }
        }
        return results;
    }

    /** Whether an open counter can be changed together with others of its group. */
    default boolean changesTogether(C counter) throws SQLException {
        return false;
    }
}

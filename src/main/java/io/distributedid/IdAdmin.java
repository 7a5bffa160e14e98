package io.distributedid;

import io.distributedid.internal.registry.BackendSchemas;
import io.distributedid.internal.registry.SequenceRegistry;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.LargestIds;
import io.distributedid.spi.Maintenance;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * What an operator, or the glue of a framework, does with the places that ids come from. The commands of
 * {@code distributedid} do the same. An {@code IdAdmin} belongs to a {@link DistributedIds}, and works until that
 * object is closed. Thread-safe.
 */
public final class IdAdmin {

    private final SequenceRegistry sequences;

    IdAdmin(SequenceRegistry sequences) {
        this.sequences = sequences;
    }

    /**
     * Returns the SQL that creates the tables of the configured backends on their servers.
     *
     * @param settings as for {@link DistributedIds#create}
     * @param database {@code mysql}, {@code mariadb}, {@code postgresql} or {@code h2}
     * @return distinct CREATE TABLE statements; empty if the backends need no table
     * @throws IdConfigurationException if a setting or the database is unknown, or the database can't hold the tables
     */
    public static List<String> ddl(Map<String, ?> settings, String database) {
        return new BackendSchemas(Settings.of(settings))
                .onServers(DatabaseProduct.named(database)).stream()
                        .map(SchemaObject::createSql)
                        .toList();
    }

    /**
     * Checks the settings of a sequence and all its servers, as the start of a SessionFactory does. It asks every
     * server, even if another one failed. It reserves, leases, claims and raises nothing.
     *
     * @param sequence its name; need not be open
     * @return at least one result, good or bad
     */
    public List<CheckResult> check(String sequence) {
        return check(sequence, 0);
    }

    /**
     * Checks a sequence as {@link #check(String)} does, and tells what {@link #raise(String, long)} would change or
     * refuse.
     *
     * @param sequence its name; need not be open
     * @param above an id; 0 if there is none
     * @return at least one result, good or bad
     */
    public List<CheckResult> check(String sequence, long above) {
        return sequences.check(sequence, above);
    }

    /**
     * Checks a sequence as {@link #check(String)} does, and the column that holds its ids. After the cut-over from
     * AUTO_INCREMENT, IDENTITY or serial, the database must no longer number the rows itself. If ids hold the time, the
     * largest must not lie ahead of the clock.
     *
     * @param sequence its name; need not be open
     * @param connection to the column's database
     * @param table as in SQL
     * @param column as in SQL
     * @return the results, good and bad; if the database numbers the rows, with the ALTER TABLE that ends it
     * @throws SQLException if the column's database failed
     */
    public List<CheckResult> check(String sequence, Connection connection, String table, String column)
            throws SQLException {
        return sequences.check(sequence, connection, table, column);
    }

    /**
     * For ids that hold the time, checks whether new ids lie above an existing one. Reads only the settings and the
     * clock; takes no id and no worker number.
     *
     * @param sequence its name; need not be open
     * @param existing the largest existing id; 0 if there is none
     * @return the result that {@link #requireAbove(String, long)} would have; empty if the ids come from a counter,
     *     which {@link #counters} shows
     */
    public Optional<CheckResult> checkAbove(String sequence, long existing) {
        return sequences.checkAbove(sequence, existing);
    }

    /**
     * Asks the servers for the counters of a sequence. With several servers, watch how far they drift apart.
     *
     * @param sequence its name
     * @return the last id that each server has reserved, for the servers that answer
     * @throws IdConfigurationException if the sequence is configured wrongly
     * @throws IdUnavailableException if no server answers
     */
    public SequenceCounters counters(String sequence) {
        return new SequenceCounters(
                sequences.openedIfCounted(sequence, "counters").ask(Maintenance::counters));
    }

    /**
     * Returns the token of the id space of a sequence: random, unique, and the same for as long as the ids come from
     * the same place.
     *
     * @param sequence its name
     * @return empty if its ids come from no counter and hold no leased worker number, or its servers keep no record
     * @throws IdConfigurationException if the sequence is configured wrongly
     * @throws IdUnavailableException if no server answers
     */
    public Optional<String> token(String sequence) {
        return sequences.openedIfCounted(sequence, "token").ask(Maintenance::token);
    }

    /**
     * Returns the name under which a database of entities remembers the {@link #token} of a sequence.
     *
     * @param sequence its name
     * @return the sequence's name, followed by the values of the layout's fields that tell processes apart:
     *     {@code photos/data_centre=1}
     * @throws IdConfigurationException if the sequence is configured wrongly
     */
    public String idSpace(String sequence) {
        return sequences.configured(sequence, "token").ask(Maintenance::idSpace);
    }

    /**
     * Declares who will use a sequence, before the sequence is opened. The sequence then gives only ids that all of its
     * users can store. Connects to no server.
     *
     * @param sequence its name
     * @param maxValue the largest id that can be stored, for example {@link Integer#MAX_VALUE}
     * @param usedBy the property or column that stores the ids, for messages
     */
    public void announce(String sequence, long maxValue, String usedBy) {
        sequences.announce(sequence, maxValue, usedBy);
    }

    /**
     * Prepares the opening of several sequences: does for all, in a few trips to each server, what their first uses
     * would do one by one. Opens no sequence. Call this method at the start of an application with many sequences,
     * right before their first uses. What can't be prepared is left to the first use, with its errors.
     *
     * @param names of the sequences
     */
    public void prepare(Collection<String> names) {
        Map<String, List<Long>> existing = new LinkedHashMap<>();
        names.forEach(name -> existing.put(name, List.of()));
        sequences.prepare(existing);
    }

    /**
     * Reserves the first block of each open sequence, in the background and together, so that its first caller need not
     * wait. Does nothing for sequences that are not open, reserve no blocks, or already have a block.
     *
     * @param names of the sequences
     */
    public void prefetch(Collection<String> names) {
        sequences.prefetch(names);
    }

    /**
     * Prepares the comparison of several sequences with existing ids: does for all, in a few trips to each server, what
     * {@link #requireAbove(String, LargestIds)} would do for each. Call this method right before that one, which
     * reports the errors.
     *
     * @param existing the largest existing ids of each sequence, perhaps one of each remainder
     */
    public void prepareAbove(Map<String, ? extends Collection<Long>> existing) {
        sequences.prepare(existing);
    }

    /**
     * Raises the counters of several sequences above existing ids: does for all, in a few trips to each server, what
     * {@link #raise(String, long)} would do for each. Call this method right before that one, which reports the errors.
     *
     * @param existing the largest existing ids of each sequence; may be empty for a sequence
     */
    public void prepareRaiseAbove(Map<String, ? extends Collection<Long>> existing) {
        Map<String, Collection<Long>> known = new LinkedHashMap<>();
        existing.forEach((name, ids) -> known.put(name, ids.isEmpty() ? List.of(0L) : ids));
        sequences.prepareRaise(known);
    }

    /**
     * Makes sure that new ids don't repeat an existing id. The counter must lie above the existing id. If several
     * servers divide the ids, only the server with the same remainder is compared; the others may lie below.
     *
     * <p>If ids hold the time, the time in the id must not lie further ahead of the clock than ids may run. If it does,
     * the id was made with another epoch or unit, or the clock is behind. If the time lies a little ahead, the call
     * waits for the clock. Afterwards all new ids lie above the existing id, even if the clock goes back.
     *
     * @param sequence its name
     * @param existing an existing id
     * @throws IdConfigurationException if the counter would repeat the id, or its time lies too far ahead of the clock
     * @throws IdUnavailableException if the clock stands still, or no server answers
     */
    public void requireAbove(String sequence, long existing) {
        sequences.opened(sequence, "cut-over").requireAbove(existing, false);
    }

    /**
     * Makes sure that new ids don't repeat an id in a table; see {@link #requireAbove(String, long)}. With several
     * servers, the call searches as far below the largest id as their counters may lie apart
     * ({@code distributedid.max_distance}). A counter that lags further is refused anyway.
     *
     * @param sequence its name
     * @param connection to the table's database
     * @param table as in SQL
     * @param column as in SQL, numbers or decimal digits, with an index
     * @throws IdConfigurationException if the sequence would repeat an id
     * @throws IdUnavailableException as {@link #requireAbove(String, long)}
     * @throws SQLException if the table's database failed
     */
    public void requireAbove(String sequence, Connection connection, String table, String column) throws SQLException {
        sequences.opened(sequence, "cut-over").requireAbove(connection, table, column);
    }

    /**
     * Makes sure that new ids don't repeat an existing id, wherever that id is stored.
     *
     * @param sequence its name
     * @param existing reads the largest ids
     * @throws IdConfigurationException if the sequence would repeat an id
     * @throws IdUnavailableException as {@link #requireAbove(String, long)}
     * @throws SQLException if the existing ids can't be read
     */
    public void requireAbove(String sequence, LargestIds existing) throws SQLException {
        sequences.opened(sequence, "cut-over").requireAbove(existing);
    }

    /**
     * Raises the counters of a sequence that lie below existing ids: for the cut-over from AUTO_INCREMENT. Call this
     * method while no process takes ids of the sequence; another process may have reserved lower ids.
     *
     * <p>Ids that hold the time have no counter. The call then waits until the clock has passed {@code existing}, up to
     * {@code distributedid.block.timeout}. If this timeout is too short, the call fails at once. The error says when to
     * repeat the call, or names an epoch with which new ids are larger. Calls of this process that begin after
     * {@code raise} has returned get larger ids. The active process raises ids in strict order, for its successors too.
     *
     * @param sequence its name
     * @param existing the largest existing id, on all shards
     * @throws IdStandbyException if another process gives the ids of the sequence; call it there
     * @throws IdConfigurationException if ids hold the time, and the time of {@code existing} lies too far ahead of the
     *     clock
     * @throws IdUnavailableException if the clock would not pass {@code existing} in time, or a server was not raised
     * @throws IdsExhaustedException if no ids are left above {@code existing}; no counter was raised
     */
    public void raise(String sequence, long existing) {
        sequences.opened(sequence, "cut-over").requireAbove(existing, true);
    }

    /**
     * Raises the counters of a sequence above the ids in a table of all shards; see {@link #raise(String, long)}.
     *
     * @param sequence its name
     * @param shards the databases that have the table
     * @param table as in SQL
     * @param column as in SQL, numbers or decimal digits
     * @return the largest id found; 0 if there is none
     * @throws IdStandbyException as {@link #raise(String, long)}
     * @throws IdConfigurationException as {@link #raise(String, long)}
     * @throws IdUnavailableException as {@link #raise(String, long)}
     * @throws IdsExhaustedException as {@link #raise(String, long)}
     * @throws SQLException if a shard failed; no counter was raised
     */
    public long raise(String sequence, Collection<? extends DataSource> shards, String table, String column)
            throws SQLException {
        return sequences.raiseAbove(sequence, shards, table, column);
    }

    /**
     * Repairs the servers of a sequence after one lost its counter, was replaced by an empty one, or became another
     * server. Call this method if an error names {@code distributedid repair}. All servers must answer. The call raises
     * them above every id that any server knows, with a margin for ids that the servers may not know. If all servers
     * lie below {@code above}, ids are lost, and the margin is added to {@code above}. This holds for empty servers,
     * too: to begin a new place just above an id, call {@link #raise}.
     *
     * @param sequence its name; need not be open
     * @param above the largest id in use, if the servers may not know it; else 0
     * @return an id at or above all that were given: new ones lie above
     * @throws IdConfigurationException if a server must not be used, if no server has the counter or knows how far to
     *     raise and {@code above} is 0, or if another command has changed the servers meanwhile; then repeat the call
     * @throws IdUnavailableException if a server does not answer; repeat the call when it does
     */
    public long repair(String sequence, long above) {
        return move(sequence, CounterMove.repair(above));
    }

    /**
     * Moves the counter of a sequence, with all others of its table, to the place that the settings name: to more,
     * fewer or other servers, to another table, or to another backend. Several counters are merged. Clients with the
     * old settings get no more ids; start them with the new settings. All servers must answer. If the call fails,
     * repeat it; within one backend, the opposite move undoes it. Other kinds of moves, such as a repair, keep the
     * place, see {@link CounterMove.Kind}.
     *
     * @param sequence its name; must not be open
     * @param move where the ids come from now
     * @return an id at or above all that were given: new ones lie above; 0 from a dry run, or if the place has no
     *     counter
     * @throws IdConfigurationException if the ids come from no counter, a server does not match its settings, or
     *     another command has changed the servers meanwhile; then repeat the call
     * @throws IdUnavailableException if a server does not answer; repeat the call when it does
     */
    public long move(String sequence, CounterMove move) {
        return sequences.move(sequence, move);
    }

    /**
     * Begins the store in which worker numbers of a sequence are leased, where {@code create_tables} did not make its
     * table. A store that has begun gets the windows of these settings, unless a number is leased. Repeat the call
     * after a failure.
     *
     * @param sequence its name; must not be open
     * @return from when on numbers are leased; empty if at once. An emptied store waits until all leases that it may
     *     have forgotten have ended
     * @throws IdConfigurationException if a number is leased, or the sequence leases none
     * @throws IdUnavailableException if the store can't be read or written
     */
    public Optional<Instant> init(String sequence) {
        return sequences.configured(sequence, "init").ask(Maintenance::init);
    }

    /**
     * Records the layout and epoch of these settings for a sequence of Snowflake ids, in place of those recorded where
     * its worker numbers are leased. Call this method while no process makes ids of the sequence. If new ids would not
     * be larger yet, the call waits for the clock. Repeat the call after a failure.
     *
     * @param sequence its name; must not be open
     * @param allStopped whether all processes with a single-use number are stopped; their windows have no end
     * @return the previous layout, as text
     * @throws IdConfigurationException if a number is leased, the new ids would not all be larger than the old ones, or
     *     no layout is recorded
     * @throws IdUnavailableException if the store can't be read or written
     */
    public String changeLayout(String sequence, boolean allStopped) {
        return sequences
                .configured(sequence, "change of layout")
                .ask((place, changed) -> place.changeLayout(changed, allStopped));
    }
}

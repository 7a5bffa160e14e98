package io.distributedid;

import io.distributedid.internal.registry.BackendSchemas;
import io.distributedid.internal.registry.OpenSequence;
import io.distributedid.internal.registry.SequenceCheck;
import io.distributedid.internal.registry.SequenceRegistry;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.ConnectionIdSource;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.IdTime;
import io.distributedid.spi.LargestIds;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.Settings;
import io.distributedid.spi.ShardedIdSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Takes ids from sequences without Hibernate: for plain JDBC, jOOQ or MyBatis. The page {@code settings.md} has all
 * settings.
 *
 * <pre>{@code
 * try (DistributedIds ids = DistributedIds.create(Map.of(
 *         "distributedid.backend", "ticket",
 *         "distributedid.ticket.servers", "jdbc:mysql://t1/tickets, jdbc:mysql://t2/tickets"))) {
 *     long id = ids.next("photos");
 * }
 * }</pre>
 *
 * <p>Create one object for an application, and close it when the application ends. Ids are unique across all processes
 * with the same settings, whether they use this class or Hibernate. Thread-safe.
 *
 * <p>This class is large because it is the only one that an application without Hibernate needs. It only delegates.
 *
 * <p><b>Do not change servers, table, schema or {@code ticket.bits} of a counter in a rolling deployment.</b> While
 * some instances count in the old place and others in the new one, both give the same ids. The library detects this
 * only if a database remembers where the sequence was counted: that of Hibernate's persistence unit, or the one given
 * with {@link Builder#applicationDatabase}. With neither, each object logs one warning. A counter gets another place by
 * {@link #move}, or {@code distributedid move}.
 */
public final class DistributedIds implements AutoCloseable {

    private static final int MAX_COUNT = 1_000_000;

    private final SequenceRegistry sequences;

    private DistributedIds(SequenceRegistry sequences) {
        this.sequences = sequences;
    }

    /**
     * Checks the settings. Connects to the servers of a sequence when the sequence is first used.
     *
     * @param settings by their full names; values are texts, numbers, or {@code DataSource} objects for servers
     * @return open until it is closed
     * @throws IdConfigurationException if a setting is unknown
     */
    public static DistributedIds create(Map<String, ?> settings) {
        return builder().settings(settings).build();
    }

    /**
     * Returns the SQL that creates the tables of the configured backends on their servers.
     *
     * @param settings as for {@link #create}
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
     * Starts a configuration with a clock or the application's database.
     *
     * @return a builder without settings
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the next id of a sequence.
     *
     * @param sequence its name
     * @return positive and unique in the sequence's id space
     * @throws IdConfigurationException at the first use, if the sequence is configured wrongly
     * @throws IdUnavailableException if no id can be issued now
     * @throws IdsExhaustedException if the sequence has no ids left
     */
    public long next(String sequence) {
        return sequence(sequence).next();
    }

    /**
     * Returns the next ids of a sequence, like that many calls of {@link #next(String)}, but reserves those that are
     * missing at once, up to {@code distributedid.block.max}. They may have gaps, because other callers take ids at the
     * same time. If the call fails, the ids that it has taken are lost.
     *
     * @param sequence its name
     * @param count how many, 1 to 1,000,000
     * @return positive and unique in the sequence's id space
     * @throws IllegalArgumentException if the count is out of range
     * @throws IdConfigurationException at the first use, if the sequence is configured wrongly
     * @throws IdUnavailableException if no id can be issued now
     * @throws IdsExhaustedException if the sequence has no ids left
     */
    public long[] next(String sequence, int count) {
        if (count < 1 || count > MAX_COUNT) {
            throw new IllegalArgumentException(
                    "The number of ids must lie from 1 to " + MAX_COUNT + ": seq=" + sequence + " count=" + count);
        }
        return sequences.next(sequence, SequenceRegistry.APPLICATION, count);
    }

    /**
     * Returns the next id of a sequence without waiting, for callers on event loops: Reactor, Vert.x, Netty. An id that
     * is in memory is there at once, and the result is complete. Otherwise, a thread of the library waits for it and
     * completes the result; this includes the opening of the sequence. What then depends on the result runs on that
     * thread: hand over to your own executor before anything that takes time. If the result is cancelled while it
     * waits, no id is taken.
     *
     * @param sequence its name
     * @return an id as {@link #next(String)} returns it; or the exceptions that are named there, never thrown by this
     *     call itself
     */
    public CompletionStage<Long> nextAsync(String sequence) {
        return nextAsync(sequence, Long.MAX_VALUE, SequenceRegistry.APPLICATION);
    }

    /**
     * Returns the next id of a sequence whose ids are stored in a narrower type, without waiting; see
     * {@link #nextAsync(String)}.
     *
     * @param sequence its name
     * @param maxValue the largest id that can be stored, for example {@link Integer#MAX_VALUE}
     * @param usedBy the property or column that stores the id, for messages
     * @return the id, or the exceptions of {@link #sequence(String, long, String)} and {@link IdSource#next}
     */
    public CompletionStage<Long> nextAsync(String sequence, long maxValue, String usedBy) {
        return sequences.nextAsync(sequence, maxValue, usedBy);
    }

    /**
     * Returns the numbers per key of a sequence: of messages in each conversation, or of invoices of each customer.
     * Connects to no server. The settings are those that begin with {@code distributedid.keyed.}. Ids of a sequence
     * with the same name are independent of it.
     *
     * @param sequence its name
     * @return the same object each time
     * @throws IdConfigurationException if the name is not allowed
     */
    public KeyedSequence keyed(String sequence) {
        return sequences.keyed(sequence);
    }

    /**
     * Returns the next id for a row on a logical shard, of a sequence whose ids carry the shard.
     *
     * @param sequence its name, configured with {@code distributedid.shard.from}
     * @param shard of the row, from 0 up to the maximum of the layout's field
     * @return positive, unique in the sequence's id space, with the shard in it
     * @throws IdConfigurationException if the sequence is configured wrongly, or its ids carry no shard
     * @throws IllegalArgumentException if the shard does not fit
     * @throws IdUnavailableException if no id can be issued now
     * @throws IdsExhaustedException if the sequence has no ids left
     */
    public long nextOnShard(String sequence, long shard) {
        if (sequence(sequence) instanceof ShardedIdSource source) {
            return source.next(shard);
        }
        throw new IdConfigurationException("The ids of a sequence must each have a shard of their own: seq=" + sequence
                + ". Set distributedid.shard.from=caller, or leave out the shard");
    }

    /**
     * Returns the next id from the database that stores the row, of a sequence whose ids are made there.
     *
     * @param sequence its name
     * @param connection to the shard of the row; an open transaction stays open
     * @return positive and unique in the sequence's id space
     * @throws IdConfigurationException if the sequence's ids are made elsewhere, or the shard can't make them
     * @throws SQLException if the database failed
     */
    public long next(String sequence, Connection connection) throws SQLException {
        if (sequence(sequence) instanceof ConnectionIdSource source) {
            return source.next(connection, 1)[0];
        }
        throw new IdConfigurationException("The ids of a sequence must come from the row's own database: seq="
                + sequence + ". Leave out the connection");
    }

    /**
     * Reads the logical shard of a row from its id.
     *
     * @param sequence its name; need not be open
     * @param id one of its ids
     * @return from 0
     * @throws IdConfigurationException if ids of the sequence carry no shard
     */
    public long shardOf(String sequence, long id) {
        return shard(sequence).of(id);
    }

    /**
     * Returns the place of the logical shard in the ids of a sequence. A router that needs the shard for every
     * statement keeps this object.
     *
     * @param sequence its name; need not be open
     * @return width and place
     * @throws IdConfigurationException if ids of the sequence carry no shard
     */
    public IdShard shard(String sequence) {
        return sequences.configured(sequence, "shard").shard();
    }

    /**
     * Returns the source of a sequence. A caller that keeps it saves a map look-up for each id.
     *
     * @param name its name
     * @return its ids, until this object is closed
     * @throws IdConfigurationException if the sequence is configured wrongly
     * @throws IdUnavailableException if no server answers
     */
    public IdSource sequence(String name) {
        return sequence(name, Long.MAX_VALUE, SequenceRegistry.APPLICATION);
    }

    /**
     * Makes known who will use a sequence, before anyone opens it. Whoever opens it then gets ids that all of its users
     * can store. Connects to no server.
     *
     * @param sequence its name
     * @param maxValue the largest id that can be stored, for example {@link Integer#MAX_VALUE}
     * @param usedBy the property or column that stores the ids, for messages
     */
    public void announce(String sequence, long maxValue, String usedBy) {
        sequences.announce(sequence, maxValue, usedBy);
    }

    /**
     * Returns the source of a sequence whose ids are stored in a narrower type.
     *
     * @param name its name
     * @param maxValue the largest id that can be stored, for example {@link Integer#MAX_VALUE}
     * @param usedBy the property or column that stores the ids, for messages
     * @return its ids, until this object is closed
     * @throws IdConfigurationException if the sequence is configured wrongly, or its ids don't fit
     * @throws IdUnavailableException if no server answers
     */
    public IdSource sequence(String name, long maxValue, String usedBy) {
        return sequences.open(name, maxValue, usedBy);
    }

    /**
     * Prepares the opening of several sequences: does for all, in a few trips to each server, what their first uses
     * would do one by one. Opens none. Call it at the start of an application with many sequences, right before their
     * first uses. What can't be prepared is left to the first use, with its errors.
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
     * wait for it. Does nothing for sequences that are not open, reserve no blocks, or have one.
     *
     * @param names of the sequences
     */
    public void prefetch(Collection<String> names) {
        sequences.prefetch(names);
    }

    /**
     * Prepares the comparison of several sequences with existing ids: does for all, in a few trips to each server, what
     * {@link #requireAbove(String, LargestIds)} would do for each. Call it right before. Errors are left to that call.
     *
     * @param existing the largest existing ids of each sequence, perhaps one of each remainder
     */
    public void prepareAbove(Map<String, ? extends Collection<Long>> existing) {
        sequences.prepare(existing);
    }

    /**
     * Raises the counters of several sequences above existing ids: does for all, in a few trips to each server, what
     * {@link #raiseAbove(String, long)} would do for each. Call it right before. Errors are left to that call.
     *
     * @param existing the largest existing ids of each sequence, which may be none
     */
    public void prepareRaiseAbove(Map<String, ? extends Collection<Long>> existing) {
        Map<String, Collection<Long>> known = new LinkedHashMap<>();
        existing.forEach((name, ids) -> known.put(name, ids.isEmpty() ? List.of(0L) : ids));
        sequences.prepareRaise(known);
    }

    /**
     * Decodes an id: when it was made, and its other fields, as far as the backend puts them into ids. Ids that hold
     * the time are decoded by the settings alone, without a server or a worker number.
     *
     * @param sequence its name
     * @param id one of its ids
     * @return its time and fields
     * @throws IllegalArgumentException if it can't be an id of the sequence
     */
    public DecodedId decode(String sequence, long id) {
        return sequences.openedIfCounted(sequence, "decode").decode(id);
    }

    /**
     * Returns the smallest id of an instant, for range scans by time on the key: {@code id >= floor(from) AND id <
     * floor(until)}. Ids hold the time in the unit of their layout, and may run ahead of the clock by
     * {@code distributedid.snowflake.max_ahead}.
     *
     * @param sequence its name; need not be open
     * @param instant any; outside the range of the layout's time field, the nearest instant inside is used
     * @return that id
     * @throws IdConfigurationException if ids of the sequence hold no time
     */
    public long floor(String sequence, Instant instant) {
        return time(sequence).floor(instant);
    }

    /**
     * Returns the largest id of an instant; see {@link #floor}.
     *
     * @param sequence its name; need not be open
     * @param instant any; outside the range of the layout's time field, the nearest instant inside is used
     * @return that id
     * @throws IdConfigurationException if ids of the sequence hold no time
     */
    public long ceiling(String sequence, Instant instant) {
        return time(sequence).ceiling(instant);
    }

    /**
     * Returns the place of the time in the ids of a sequence, for code that reads it elsewhere, for example in SQL.
     *
     * @param sequence its name; need not be open
     * @return epoch, unit, width and place
     * @throws IdConfigurationException if ids of the sequence hold no time
     */
    public IdTime time(String sequence) {
        return sequences.configured(sequence, "time").time();
    }

    /**
     * Returns the sequences that are open: those used so far, and with Hibernate those of all entities.
     *
     * @return their names, in order
     */
    public NavigableSet<String> sequences() {
        return sequences.names();
    }

    /**
     * Returns the statistics of a sequence in this process. Reads memory only and asks no server.
     *
     * @param sequence its name
     * @return empty if the sequence is not open, or its backend keeps no statistics
     */
    public Optional<SequenceStatistics> statistics(String sequence) {
        return sequences.find(sequence).flatMap(OpenSequence::statistics);
    }

    /**
     * Reports whether ids are available, as far as this process knows. Does not wait for a server. If the reserve is
     * empty because no server answered, this call starts another attempt in the background. So an application that gets
     * no traffic while it is DOWN recovers.
     *
     * @return one entry for each sequence that is open, or that could not be opened because no server answered
     */
    public IdHealth health() {
        return sequences.health();
    }

    /**
     * Reports whether ids of one sequence are available; see {@link #health()}.
     *
     * @param sequence its name
     * @return empty if the sequence is not open, and no attempt to open it has failed
     */
    public Optional<IdHealth.SequenceHealth> health(String sequence) {
        return sequences.health(sequence);
    }

    /**
     * Adds a listener for the opening and closing of sequences, for waits and fetches.
     *
     * @param listener called at once for each open sequence, later for each that is opened, and when all are closed; at
     *     once if all are closed already
     */
    public void addListener(SequenceListener listener) {
        sequences.addListener(listener);
    }

    /**
     * Asks the servers for the counters of a sequence. With several servers, watch how far they drift apart.
     *
     * @param sequence its name
     * @return the last id that each server has reserved, for the servers that answer
     * @throws IdUnavailableException if no server answers
     */
    public SequenceCounters counters(String sequence) {
        return new SequenceCounters(
                sequences.openedIfCounted(sequence, "counters").counters());
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
     * Checks a sequence as {@link #check(String)} does, and tells what {@link #raiseAbove(String, long)} would change
     * or refuse.
     *
     * @param sequence its name; need not be open
     * @param above an id; 0 if there is none
     * @return at least one result, good or bad
     */
    public List<CheckResult> check(String sequence, long above) {
        return new SequenceCheck(sequences).check(sequence, above);
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
        return new SequenceCheck(sequences).check(sequence, connection, table, column);
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
        return new SequenceCheck(sequences).checkAbove(sequence, existing);
    }

    /**
     * Makes sure that new ids don't repeat an existing one. The counter must lie above it. If several servers divide
     * the ids, only the server with the same remainder is compared; the others may lie below.
     *
     * <p>If ids hold the time, the time in the id must not lie further ahead of the clock than ids may run. If it does,
     * the id was made with another epoch or unit, or the clock is behind. If it lies a little ahead, the call waits for
     * the clock. Afterwards all new ids lie above it, even if the clock goes back.
     *
     * @param sequence its name
     * @param existing an existing id
     * @throws IdConfigurationException if the counter would repeat it, or its time lies too far ahead of the clock
     * @throws IdUnavailableException if the clock stands still
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
     * @throws SQLException if the table's database failed
     */
    public void requireAbove(String sequence, Connection connection, String table, String column) throws SQLException {
        sequences.opened(sequence, "cut-over").requireAbove(connection, table, column);
    }

    /**
     * Makes sure that new ids don't repeat an existing one, wherever it is stored.
     *
     * @param sequence its name
     * @param existing reads the largest ids
     * @throws IdConfigurationException if the sequence would repeat an id
     * @throws SQLException if the existing ids can't be read
     */
    public void requireAbove(String sequence, LargestIds existing) throws SQLException {
        sequences.opened(sequence, "cut-over").requireAbove(existing);
    }

    /**
     * Repairs the servers of a sequence after one lost its counter, was replaced by an empty one, or became another
     * server. Call it if an error names {@code distributedid repair}. All servers must answer. The call raises them
     * above every id that any of them knows, with a margin for ids that they may not know. If all of them lie below
     * {@code above}, ids are lost, and the margin is added to that. This holds for empty servers, too: to begin a new
     * place just above an id, call {@link #raiseAbove}.
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
     * old settings get no more ids; start them with the new ones. All servers must answer. If the call fails, repeat
     * it; a move within one backend can be taken back by the opposite one. The other kinds of moves, as a repair, stay
     * where they are, see {@link CounterMove.Kind}.
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
     * table. A store that has begun gets the windows of these settings, while nothing is leased. Repeat it after a
     * failure.
     *
     * @param sequence its name; must not be open
     * @return when numbers are leased, if not at once: an emptied store waits until all that it may have forgotten has
     *     ended
     * @throws IdConfigurationException if a number is leased, or the sequence leases none
     * @throws IdUnavailableException if the store can't be read or written
     */
    public Optional<Instant> init(String sequence) {
        return sequences.configured(sequence, "init").init();
    }

    /**
     * Records the layout and epoch of these settings for a sequence of Snowflake ids, in place of those recorded where
     * its worker numbers are leased. Call it while no process makes ids of the sequence. If new ids would not be larger
     * yet, waits for the clock. Repeat it after a failure.
     *
     * @param sequence its name; must not be open
     * @param allStopped whether all processes with a single-use number are stopped; their windows have no end
     * @return the previous layout, as text
     * @throws IdConfigurationException if a number is leased, the new ids would not all be larger than the old ones, or
     *     no layout is recorded
     * @throws IdUnavailableException if the store can't be read or written
     */
    public String changeLayout(String sequence, boolean allStopped) {
        return sequences.configured(sequence, "change of layout").changeLayout(allStopped);
    }

    /**
     * Returns the token of the id space of a sequence: random, unique, and the same for as long as the ids come from
     * the same place.
     *
     * @param sequence its name
     * @return empty if its ids come from no counter and hold no leased worker number, or its servers keep no record
     * @throws IdUnavailableException if no server answers
     */
    public Optional<String> token(String sequence) {
        return sequences.openedIfCounted(sequence, "token").token();
    }

    /**
     * Returns the name under which a database of entities remembers the {@link #token} of a sequence.
     *
     * @param sequence its name
     * @return the sequence's name, followed by the values of the layout's fields that tell processes apart:
     *     {@code photos/data_centre=1}
     */
    public String idSpace(String sequence) {
        return sequences.configured(sequence, "token").idSpace();
    }

    /**
     * Raises the counters of a sequence that lie below existing ids: for the cut-over from AUTO_INCREMENT. Call it
     * while no process takes ids of the sequence; another process may have reserved lower ids.
     *
     * <p>Ids that hold the time have no counter. The call then waits until the clock has passed {@code existing}, up to
     * {@code distributedid.block.timeout}. If that is too short, it fails at once. Its error says when to repeat the
     * call, or names an epoch with which new ids are larger. Calls of this process that begin when it has returned get
     * larger ids. Ids in strict order are raised by the active process, for its successors too.
     *
     * @param sequence its name
     * @param existing the largest existing id, on all shards
     * @throws IdStandbyException if another process gives the ids of the sequence; call it there
     * @throws IdConfigurationException if ids hold the time, and that of {@code existing} lies too far ahead of the
     *     clock
     * @throws IdUnavailableException if the clock would not pass {@code existing} in time, or a server was not raised
     * @throws IdsExhaustedException if no ids are left above it; no counter was raised
     */
    public void raiseAbove(String sequence, long existing) {
        sequences.opened(sequence, "cut-over").requireAbove(existing, true);
    }

    /**
     * Raises the counters of a sequence above the ids in a table of all shards; see {@link #raiseAbove(String, long)}.
     *
     * @param sequence its name
     * @param shards the databases that have the table
     * @param table as in SQL
     * @param column as in SQL, numbers or decimal digits
     * @return the largest id found; 0 if there is none
     * @throws SQLException if a shard failed; no counter was raised
     */
    public long raiseAbove(String sequence, Collection<? extends DataSource> shards, String table, String column)
            throws SQLException {
        return sequences.raiseAbove(sequence, shards, table, column);
    }

    /**
     * Drops all reserved ids of this process before it is copied: blocks, windows and worker numbers. Nothing is given
     * back, so what another copy uses stays reserved. Threads end; connections and files are closed. Callers wait until
     * {@link #resume}, up to {@code distributedid.block.timeout}; ids being taken at this moment are dropped. Ids that
     * a caller already has are not affected: use them or throw them away before the copy is made.
     *
     * <p>With the library {@code org.crac:crac} on the class path, this method is called before each checkpoint (CRaC,
     * SnapStart), and {@link #resume} after each restore. Does nothing if suspended or closed already.
     */
    public void suspend() {
        sequences.suspend();
    }

    /**
     * Gives ids again after {@link #suspend}, with new connections, new blocks, and worker numbers with new tokens.
     * What was held before the suspend is never used again. So counters have gaps, and a leased number stays reserved
     * until its window is over.
     *
     * <p>Opens the sequences that were open again; if no server answers, their next caller does. A fixed worker number
     * is refused, since all copies of the process have the same one. A number with
     * {@code distributedid.snowflake.state_file}, and that of a StatefulSet, is used with a warning. Does nothing
     * unless suspended.
     *
     * @throws IdConfigurationException if a sequence can't be used any more; the others can
     */
    public void resume() {
        sequences.resume();
    }

    /**
     * Calls {@link #suspend}, then {@link #resume}. For a process that learns that it was resumed from a snapshot,
     * which may run elsewhere too. Call it before anything else: until then the process uses the same ids as other
     * copies.
     *
     * @throws IdConfigurationException if a sequence can't be used any more; the others can
     */
    public void beginAnew() {
        suspend();
        resume();
    }

    /** Closes connections and ends threads. Later calls for ids fail with {@link IdUnavailableException}. */
    @Override
    public void close() {
        sequences.close();
    }

    /** Configures a {@link DistributedIds}. Not thread-safe. */
    public static final class Builder {

        private Map<String, ?> settings = Map.of();

        private InstantSource clock = InstantSource.system();

        private @Nullable ConnectionAccess applicationDatabase;

        private @Nullable ConnectionAccess witness;

        private Predicate<String> tokensCompared = sequence -> false;

        private boolean isService;

        private Builder() {}

        /**
         * Sets all settings.
         *
         * @param newSettings by their full names; names without the prefix {@code distributedid.} are ignored
         * @return this
         */
        public Builder settings(Map<String, ?> newSettings) {
            settings = newSettings;
            return this;
        }

        /**
         * Sets the clock of backends whose ids hold the time.
         *
         * @param newClock by default that of the system
         * @return this
         */
        public Builder clock(InstantSource newClock) {
            clock = newClock;
            return this;
        }

        /**
         * Sets the application's own database. It holds a sequence table and the rows of numbers per key for which no
         * server is set. Its table {@code distributedid} remembers the {@link DistributedIds#token} of each sequence
         * that counts; at its first use, and after each {@link DistributedIds#resume}, a sequence that is counted in
         * another place than before is refused, or in one whose token can't be read.
         *
         * @param access lends connections to it
         * @return this
         */
        public Builder applicationDatabase(ConnectionAccess access) {
            applicationDatabase = access;
            return this;
        }

        /**
         * Sets another database that remembers the {@link DistributedIds#token} of each sequence that counts, beside
         * {@link #applicationDatabase} or without it. A sequence is refused if either remembers another place. Of use
         * if the application's database is itself a server of ids: it cannot tell that another server has taken its
         * place.
         *
         * @param access lends connections to it
         * @return this
         */
        public Builder alsoRememberedIn(ConnectionAccess access) {
            witness = access;
            return this;
        }

        /**
         * Declares that the caller compares the {@link DistributedIds#token} of each sequence itself, for all databases
         * that hold its ids: framework glue, or a tool that changes the place. {@link #applicationDatabase} and
         * {@link #alsoRememberedIn} are then neither read nor written for tokens, and no warning is logged.
         *
         * @return this
         */
        public Builder tokensComparedByCaller() {
            return tokensComparedByCaller(sequence -> true);
        }

        /**
         * The same for some sequences. All others are compared as usual.
         *
         * @param compared asked with the name of a sequence each time when it is opened: at its first use, and after
         *     each {@link DistributedIds#resume}. If true, the caller compares the token before it stores an id of this
         *     opening. It must not block
         * @return this
         */
        public Builder tokensComparedByCaller(Predicate<String> compared) {
            tokensCompared = compared;
            return this;
        }

        /**
         * Declares that this process answers the requests of others for numbers per key, as the issuing service does.
         * Only then may they come from its memory ({@code distributedid.keyed.backend=section}), since a process that
         * lacks a key names the one that has it, and the request has to go there.
         *
         * @return this
         */
        public Builder asService() {
            isService = true;
            return this;
        }

        /**
         * Checks the settings.
         *
         * @return open until it is closed
         * @throws IdConfigurationException if a setting is unknown
         */
        public DistributedIds build() {
            SequenceRegistry sequences = new SequenceRegistry(
                    settings,
                    clock,
                    Optional.ofNullable(applicationDatabase),
                    Stream.concat(Stream.ofNullable(applicationDatabase), Stream.ofNullable(witness))
                            .toList(),
                    tokensCompared,
                    isService);
            sequences.registerWithCheckpoints();
            return new DistributedIds(sequences);
        }
    }
}

package io.distributedid;

import io.distributedid.internal.existing.ExistingIds;
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
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The sequences without Hibernate: for plain JDBC, jOOQ or MyBatis, with the settings of {@link DistributedIdSettings}.
 *
 * <pre>{@code
 * try (DistributedIds ids = DistributedIds.create(Map.of(
 *         DistributedIdSettings.BACKEND, "ticket",
 *         DistributedIdSettings.TICKET_SERVERS, "jdbc:mysql://t1/tickets, jdbc:mysql://t2/tickets"))) {
 *     long id = ids.next("photos");
 * }
 * }</pre>
 *
 * <p>A sequence that counts, with tickets or a sequence table, gives ids twice if some instances count in one place and
 * some in another: if servers, table, schema or {@code ticket.bits} are changed in a rolling deployment. That is
 * noticed if somebody remembers where it was counted: Hibernate's persistence unit, or the database that is given with
 * {@link Builder#applicationDatabase}. Without both, a warning is logged, once for each of these objects. Look what
 * exists before you change the place: compare {@link #token}, and end the old place with {@link #retire} and
 * {@link #adopt(String, Connection)}, or by the command {@code distributedid adopt}.
 *
 * <p>Create one for an application and close it at its end; all its ids, those of Hibernate's entities included, are
 * unique if the settings are the same. Thread-safe.
 */
public final class DistributedIds implements AutoCloseable {

    private static final int MOST_AT_ONCE = 1_000_000;

    private static final String USER = "DistributedIds";

    private final SequenceRegistry sequences;

    private DistributedIds(SequenceRegistry sequences) {
        this.sequences = sequences;
    }

    /**
     * Checks the settings; servers are connected to when a sequence is first used.
     *
     * @param settings by their full names; values are texts, numbers, or {@code DataSource} objects for servers
     * @return to be closed
     * @throws IdConfigurationException if a setting is not known
     */
    public static DistributedIds create(Map<String, ?> settings) {
        return builder().settings(settings).build();
    }

    /**
     * The tables that have to be on the servers of the configured backends.
     *
     * @param settings as for {@link #create}
     * @param database whose SQL is wanted: {@code mysql}, {@code mariadb}, {@code postgresql} or {@code h2}
     * @return CREATE TABLE statements, each once; none if no table is needed
     * @throws IdConfigurationException if a setting or the database is not known, or can't hold the tables
     */
    public static List<String> ddl(Map<String, ?> settings, String database) {
        return new BackendSchemas(Settings.of(settings))
                .onServers(DatabaseProduct.named(database)).stream()
                        .map(SchemaObject::createSql)
                        .toList();
    }

    /**
     * For more than settings.
     *
     * @return a builder without settings
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The next id of a sequence.
     *
     * @param sequence its name
     * @return positive and unique in the sequence's id space
     * @throws IdConfigurationException at the first use, if the sequence is not configured well
     * @throws IdUnavailableException if no id can be issued now
     * @throws IdsExhaustedException if the sequence has none left
     */
    public long next(String sequence) {
        return sequence(sequence).next();
    }

    /**
     * The next ids of a sequence, as so many calls of {@link #next(String)} give them: ids of other callers may lie
     * between them. If it throws, those taken so far are lost.
     *
     * @param sequence its name
     * @param count how many, 1 to 1,000,000
     * @return positive and unique in the sequence's id space
     * @throws IllegalArgumentException if the count is out of range
     * @throws IdConfigurationException at the first use, if the sequence is not configured well
     * @throws IdUnavailableException if no id can be issued now
     * @throws IdsExhaustedException if the sequence has none left
     */
    public long[] next(String sequence, int count) {
        if (count < 1 || count > MOST_AT_ONCE) {
            throw new IllegalArgumentException(
                    "The number of ids must lie from 1 to " + MOST_AT_ONCE + ": seq=" + sequence + " count=" + count);
        }
        IdSource source = sequence(sequence);
        long[] ids = new long[count];
        for (int i = 0; i < count; i++) {
            ids[i] = source.next();
        }
        return ids;
    }

    /**
     * The next id of a row on a logical shard, for sequences whose ids carry it.
     *
     * @param sequence its name, configured with {@link DistributedIdSettings#SHARD_FROM}
     * @param shard where the row lies, 0 to what the layout's field holds
     * @return positive, unique in the sequence's id space, with the shard in it
     * @throws IdConfigurationException if the sequence is not configured well, or its ids carry no shard
     * @throws IllegalArgumentException if the shard does not fit
     * @throws IdUnavailableException if no id can be issued now
     * @throws IdsExhaustedException if the sequence has none left
     */
    public long nextOnShard(String sequence, long shard) {
        if (sequence(sequence) instanceof ShardedIdSource source) {
            return source.next(shard);
        }
        throw new IdConfigurationException("The ids of a sequence must each have a shard of their own: seq=" + sequence
                + ". Set " + DistributedIdSettings.SHARD_FROM + "=caller, or leave out the shard");
    }

    /**
     * The next id from the database that stores the row, for sequences whose ids are made there.
     *
     * @param sequence its name
     * @param connection to the shard that the row is written to; its transaction, if it has one, goes on
     * @return positive and unique in the sequence's id space
     * @throws IdConfigurationException if the sequence's ids are made elsewhere, or that shard can't make them
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
     * The logical shard of a row, by its key alone.
     *
     * @param sequence the name of its sequence; need not be in use
     * @param id one of its ids
     * @return from 0
     * @throws IdConfigurationException if ids of the sequence carry no shard
     */
    public long shardOf(String sequence, long id) {
        return shard(sequence).of(id);
    }

    /**
     * Where the logical shard stands in the ids of a sequence: to be kept by routers, which ask for every statement.
     *
     * @param sequence its name; need not be in use
     * @return width and place
     * @throws IdConfigurationException if ids of the sequence carry no shard
     */
    public IdShard shard(String sequence) {
        return sequences.configured(sequence, "shard").shard();
    }

    /**
     * A sequence, to be kept by callers for which a map look-up for each id is too much.
     *
     * @param name its name
     * @return its ids, until this object is closed
     * @throws IdConfigurationException if the sequence is not configured well
     * @throws IdUnavailableException if no server answers
     */
    public IdSource sequence(String name) {
        return sequence(name, Long.MAX_VALUE, USER);
    }

    /**
     * A sequence whose ids are stored in a narrower type.
     *
     * @param name its name
     * @param maxValue the largest id that can be stored, for example {@link Integer#MAX_VALUE}
     * @param usedBy who stores them, for messages
     * @return its ids, until this object is closed
     * @throws IdConfigurationException if the sequence is not configured well, or its ids don't fit
     * @throws IdUnavailableException if no server answers
     */
    public IdSource sequence(String name, long maxValue, String usedBy) {
        return sequences.open(name, maxValue, usedBy);
    }

    /**
     * Takes an id apart: when it was made and by whom, as far as its backend puts that into ids. A Snowflake id is
     * taken apart by the settings alone, without a worker number, so that a tool that makes no ids can do it.
     *
     * @param sequence the name of its sequence
     * @param id one of its ids
     * @return what it says of itself
     * @throws IllegalArgumentException if it can't be an id of the sequence
     */
    public DecodedId decode(String sequence, long id) {
        return sequences.openedIfCounted(sequence, "decode").decode(id);
    }

    /**
     * The smallest id that an instant can have, for range scans by time on the key: {@code id >= floor(from) AND id <
     * floor(until)}. Ids hold the time to the unit of their layout, and may run ahead of the clock by
     * {@link DistributedIdSettings#SNOWFLAKE_MAX_AHEAD}.
     *
     * @param sequence its name; need not be in use
     * @param instant any; one outside of the layout's time counts as the nearest inside
     * @return that id
     * @throws IdConfigurationException if ids of the sequence hold no time
     */
    public long floor(String sequence, Instant instant) {
        return time(sequence).floor(instant);
    }

    /**
     * The largest id that an instant can have; see {@link #floor}.
     *
     * @param sequence its name; need not be in use
     * @param instant any; one outside of the layout's time counts as the nearest inside
     * @return that id
     * @throws IdConfigurationException if ids of the sequence hold no time
     */
    public long ceiling(String sequence, Instant instant) {
        return time(sequence).ceiling(instant);
    }

    /**
     * Where the time stands in the ids of a sequence, for reading it in other places, for example in SQL.
     *
     * @param sequence its name; need not be in use
     * @return epoch, unit, width and place
     * @throws IdConfigurationException if ids of the sequence hold no time
     */
    public IdTime time(String sequence) {
        return sequences.configured(sequence, "time").time();
    }

    /**
     * The sequences that are open: those that were used, and with Hibernate those of all entities.
     *
     * @return their names, in order
     */
    public NavigableSet<String> sequences() {
        return sequences.names();
    }

    /**
     * What a sequence has done in this process. No server is asked, so that it may be called as often as one likes.
     *
     * @param sequence its name
     * @return empty if it is not open, or its backend counts nothing
     */
    public Optional<SequenceStatistics> statistics(String sequence) {
        return sequences.find(sequence).flatMap(OpenSequence::statistics);
    }

    /**
     * Whether ids are to be had, as far as this process knows. No server is waited for. Where the reserve is empty
     * because no server answered, they are asked again in the background, so that an application that gets no calls
     * while it is down gets well again.
     *
     * @return a line for every sequence that is open, or could not be opened because no server answered
     */
    public IdHealth health() {
        return sequences.health();
    }

    /**
     * Watches what sequences there are.
     *
     * @param listener told at once of those that are open, later of each that is opened, and of the end
     */
    public void addListener(SequenceListener listener) {
        sequences.addListener(listener);
    }

    /**
     * How far the counters of a sequence have come: a figure to watch where several servers divide the ids between
     * them.
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
     * Checks a sequence: its settings, and every server that it has, as they are now. What is checked when a
     * SessionFactory is built, but each server is asked, whatever the others say, and nothing is reserved, leased,
     * claimed or raised.
     *
     * @param sequence its name; need not be in use
     * @return what was found, good and bad, at least one thing
     */
    public List<CheckResult> check(String sequence) {
        return new SequenceCheck(sequences).check(sequence);
    }

    /**
     * Checks a sequence as {@link #check(String)} does, and the column that holds its ids: after the cut-over from
     * AUTO_INCREMENT, IDENTITY or serial the database must not number the rows by itself any more; and where ids hold
     * the time, the largest must not lie ahead of the clock.
     *
     * @param sequence its name; need not be in use
     * @param connection to the column's database
     * @param table as in SQL
     * @param column as in SQL
     * @return what was found, good and bad; with the ALTER TABLE that ends it, if the database does
     * @throws SQLException if the column's database failed
     */
    public List<CheckResult> check(String sequence, Connection connection, String table, String column)
            throws SQLException {
        return new SequenceCheck(sequences).check(sequence, connection, table, column);
    }

    /**
     * Looks whether ids from now on lie above one that exists, where ids hold the time: by the settings and the clock
     * alone. Takes no id and no worker number.
     *
     * @param sequence its name; need not be in use
     * @param existing the largest id that exists; 0 if there is none
     * @return what {@link #requireAbove(String, long)} would say; empty if its ids come from a counter, which
     *     {@link #counters} shows
     */
    public Optional<CheckResult> checkAbove(String sequence, long existing) {
        return new SequenceCheck(sequences).checkAbove(sequence, existing);
    }

    /**
     * Makes sure that a counter lies above an id that exists. Where several servers divide the ids between them, that
     * of the server which gives such ids; the others may well lie below.
     *
     * <p>Where ids hold the time, that of the id must not lie further ahead of the clock than ids do: it shows that the
     * id was made with another epoch or unit than the settings have now, or that the clock is behind. If it lies a
     * little ahead, the call waits for the clock; in any case all ids from now on lie above it, whatever the clock does
     * next.
     *
     * @param sequence its name
     * @param existing an id that exists
     * @throws IdConfigurationException if the counter would give it again, or its time lies too far ahead of the clock
     * @throws IdUnavailableException if the clock stands still
     */
    public void requireAbove(String sequence, long existing) {
        sequences.opened(sequence, "cut-over").requireAbove(existing, false);
    }

    /**
     * Makes sure that a sequence would not give an id that a table holds: see {@link #requireAbove(String, long)}. With
     * several servers, ids are looked for as far below the largest as their counters may be apart
     * ({@link DistributedIdSettings#TICKET_MAX_DISTANCE}): a counter that lags further is refused anyway.
     *
     * @param sequence its name
     * @param connection to the table's database
     * @param table as in SQL
     * @param column as in SQL, numbers or their digits, with an index
     * @throws IdConfigurationException if it would
     * @throws SQLException if the table's database failed
     */
    public void requireAbove(String sequence, Connection connection, String table, String column) throws SQLException {
        requireAbove(
                sequence,
                (step, distance) -> ExistingIds.maxOfEachRemainder(connection, table, column, step, distance));
    }

    /**
     * Makes sure that a sequence would not give an id that exists, wherever it is stored.
     *
     * @param sequence its name
     * @param existing reads the largest ids
     * @throws IdConfigurationException if it would
     * @throws SQLException if they can't be read
     */
    public void requireAbove(String sequence, LargestIds existing) throws SQLException {
        sequences.opened(sequence, "cut-over").requireAbove(existing);
    }

    /**
     * Brings the servers of a sequence into line after one of them lost its counter, was replaced by an empty one, or
     * became another server: what an error that names {@code distributedid repair} asks for. All servers must answer.
     * They are raised above all ids that any of them knows of, and far enough above that to cover what they don't.
     *
     * @param sequence its name; need not be in use
     * @param above the largest id in use, if the servers may not know it; else 0
     * @return the last id of each server
     * @throws IdConfigurationException if a server must not be used, or nobody knows how far to raise and {@code above}
     *     is 0
     * @throws IdUnavailableException if a server does not answer; repeat the call when it does
     */
    public SequenceCounters repair(String sequence, long above) {
        return new SequenceCounters(sequences.repair(sequence, above));
    }

    /**
     * Ends the use of a sequence's counter for good, after its ids were made to come from another place: clients with
     * the old settings get no id any more.
     *
     * @param sequence its name; need not be in use
     * @return for each server an id above which it gave none, and above which the new place must begin: its last one,
     *     or a little more
     * @throws IdConfigurationException if its ids come from no counter, or a server may have lost some: {@link #repair}
     *     it first
     * @throws IdUnavailableException if a server does not answer; repeat the call when it does
     */
    public SequenceCounters retire(String sequence) {
        return new SequenceCounters(sequences.configured(sequence, "retire").retire());
    }

    /**
     * Ends the move of leased worker numbers to another table, server or store, once all processes run with
     * {@code distributedid.snowflake.lease.moving_from}: the old place leases none any more, and processes with the new
     * place alone can be started. It returns when all windows of the old place alone are over, after about one and a
     * half windows. Safe to repeat, and while processes run.
     *
     * @param sequence one whose numbers move, with the settings that the processes have; need not be in use
     * @param force whether processes that lease at the old place alone are cut off; else they are named, and nothing is
     *     done
     * @return what was done
     * @throws IdConfigurationException if no move has begun, or a process leases at the old place alone
     * @throws IdUnavailableException if a place does not answer; repeat the call when it does
     */
    public List<CheckResult> finishMove(String sequence, boolean force) {
        return sequences.configured(sequence, "move").finishMove(force);
    }

    /**
     * Gives a sequence of Snowflake ids another layout or epoch than the one recorded where its worker numbers are
     * leased: these settings'. To be called while no process makes ids of it. Waits for about one and a half windows
     * ({@code distributedid.snowflake.lease.window}), and is repeated after a failure.
     *
     * @param sequence its name; need not be in use
     * @param allStopped whether no process with a single-use number runs, whose window has no end
     * @return the layout before, as text
     * @throws IdConfigurationException if a number is leased, the new ids would not all be larger than the old ones, or
     *     no layout is recorded
     * @throws IdUnavailableException if the record can't be read or written
     */
    public String changeLayout(String sequence, boolean allStopped) {
        return sequences.configured(sequence, "change of layout").changeLayout(allStopped);
    }

    /**
     * What tells the id space of a sequence from all others: random, and the same for as long as its ids come from the
     * same place.
     *
     * @param sequence its name
     * @return empty if its ids come from no counter and hold no leased worker number, or its servers keep no record
     * @throws IdUnavailableException if no server answers
     */
    public Optional<String> token(String sequence) {
        return sequences.openedIfCounted(sequence, "token").token();
    }

    /**
     * The name by which a database of entities remembers the {@link #token} of a sequence.
     *
     * @param sequence its name
     * @return that name; where a layout has fields that tell processes apart, with their values:
     *     {@code photos/data_centre=1}
     */
    public String idSpace(String sequence) {
        return sequences.configured(sequence, "token").idSpace();
    }

    /**
     * Lets a database of entities take the ids of a sequence from the place that the settings name now; see
     * {@link #adopt(String, Connection, String)}.
     *
     * @param sequence its name
     * @param connection to a database with tables of its ids, in autocommit mode
     * @throws IdConfigurationException if its ids come from no counter, or the database can't remember it
     * @throws SQLException if that database failed
     */
    public void adopt(String sequence, Connection connection) throws SQLException {
        adopt(sequence, connection, "");
    }

    /**
     * Lets a database of entities take the ids of a sequence from the place that the settings name now. The database
     * remembers the {@link #token} of each sequence in its table {@code distributedid_record}, and with Hibernate the
     * start refuses another one, without it the first use, see {@link Builder#applicationDatabase}: two places that
     * count at once would give the same ids. To be called for each shard once the old place was {@linkplain #retire
     * retired} and the new one {@linkplain #raiseAbove(String, long) raised} above its last ids, or for a restored copy
     * of the database.
     *
     * @param sequence its name
     * @param connection to a database with tables of its ids, in autocommit mode
     * @param schema of these tables; empty for that of the connection
     * @throws IdConfigurationException if its ids come from no counter, or the database can't remember it
     * @throws SQLException if that database failed
     */
    public void adopt(String sequence, Connection connection, String schema) throws SQLException {
        sequences.adopt(sequence, connection, schema);
    }

    /**
     * Raises a counter above ids that exist, if it lies below: for the cut-over from AUTO_INCREMENT. To be called while
     * no process takes ids of the sequence, since others may have reserved lower ones.
     *
     * <p>Where ids hold the time nothing can be raised: the call waits for the clock, up to
     * {@link DistributedIdSettings#BLOCK_TIMEOUT}, and beyond that its error names an epoch with which new ids are
     * larger.
     *
     * @param sequence its name
     * @param existing the largest id that exists, on all shards
     * @throws IdConfigurationException if ids hold the time and its time lies too far ahead of the clock
     * @throws IdsExhaustedException if no ids are left above it; no counter was raised
     */
    public void raiseAbove(String sequence, long existing) {
        sequences.opened(sequence, "cut-over").requireAbove(existing, true);
    }

    /**
     * Raises a counter above the ids in a table of all shards; see {@link #raiseAbove(String, long)}.
     *
     * @param sequence its name
     * @param shards the databases that have the table
     * @param table as in SQL
     * @param column as in SQL, numbers or their digits
     * @return the largest id found, 0 if there is none
     * @throws SQLException if a shard failed; the counter is as it was
     */
    public long raiseAbove(String sequence, Collection<? extends DataSource> shards, String table, String column)
            throws SQLException {
        long existing = 0;
        for (DataSource shard : shards) {
            try (Connection connection = shard.getConnection()) {
                existing = Math.max(existing, ExistingIds.max(connection, table, column));
            }
        }
        raiseAbove(sequence, existing);
        return existing;
    }

    /**
     * Drops what this process holds of ids, before a copy of it is made: blocks, windows, worker numbers. Nothing is
     * handed back, so that what another copy uses stays reserved. Threads end, connections and files are closed. Calls
     * for ids wait until {@link #resume}, up to {@link DistributedIdSettings#BLOCK_TIMEOUT}; an id that was being taken
     * is dropped. What a caller has already is its own affair: use it, or throw it away, before the copy is made.
     *
     * <p>With the library {@code org.crac:crac} on the class path it is called before each checkpoint (CRaC,
     * SnapStart), and {@link #resume} after each restore. Does nothing if suspended or closed already.
     */
    public void suspend() {
        sequences.suspend();
    }

    /**
     * Gives ids again. All is taken anew: connections, blocks, worker numbers with tokens of their own. What was held
     * before the {@link #suspend} is never used again; counters have gaps there, and a leased number stays reserved
     * until its window is over.
     *
     * <p>The sequences that were open are opened again, now or by their next caller if no server answers. A fixed
     * worker number is refused, since all copies of the process have the same one; one with
     * {@link DistributedIdSettings#SNOWFLAKE_STATE_FILE}, and that of a StatefulSet, is used with a warning. Does
     * nothing unless suspended.
     *
     * @throws IdConfigurationException if a sequence can't be used any more; the others can
     */
    public void resume() {
        sequences.resume();
    }

    /**
     * {@link #suspend}, then {@link #resume}: for a process that learns that it was resumed from a snapshot, which may
     * have been resumed elsewhere too. To be called first of all: until then it uses what the other copies use.
     *
     * @throws IdConfigurationException if a sequence can't be used any more; the others can
     */
    public void beginAnew() {
        suspend();
        resume();
    }

    /** Closes connections and threads. Ids asked for afterwards are refused with {@link IdUnavailableException}. */
    @Override
    public void close() {
        sequences.close();
    }

    /** Collects what {@link DistributedIds} is made of. Not thread-safe. */
    public static final class Builder {

        private Map<String, ?> settings = Map.of();

        private InstantSource clock = InstantSource.system();

        private @Nullable ConnectionAccess applicationDatabase;

        private boolean tokensCompared;

        private Builder() {}

        /**
         * The settings.
         *
         * @param newSettings by their full names; those of others are left alone
         * @return this
         */
        public Builder settings(Map<String, ?> newSettings) {
            settings = newSettings;
            return this;
        }

        /**
         * The clock of backends that put the time into ids.
         *
         * @param newClock the system's by default
         * @return this
         */
        public Builder clock(InstantSource newClock) {
            clock = newClock;
            return this;
        }

        /**
         * The application's own database, where a sequence table lives for which no server is set. It remembers the
         * {@link DistributedIds#token} of each sequence that counts, in its table {@code distributedid_record}, and a
         * sequence that is counted in another place than before is refused when it is first used.
         *
         * @param access lends connections to it
         * @return this
         */
        public Builder applicationDatabase(ConnectionAccess access) {
            applicationDatabase = access;
            return this;
        }

        /**
         * The caller compares the {@link DistributedIds#token} of each sequence with what it was before, for all
         * databases that hold its ids: glue to a framework, or a tool that changes the place. Nothing is looked at in
         * {@link #applicationDatabase} then, and nothing warned of.
         *
         * @return this
         */
        public Builder tokensComparedByCaller() {
            tokensCompared = true;
            return this;
        }

        /**
         * Checks the settings.
         *
         * @return to be closed
         * @throws IdConfigurationException if a setting is not known
         */
        public DistributedIds build() {
            SequenceRegistry sequences =
                    new SequenceRegistry(settings, clock, Optional.ofNullable(applicationDatabase), tokensCompared);
            sequences.registerWithCheckpoints();
            return new DistributedIds(sequences);
        }
    }
}

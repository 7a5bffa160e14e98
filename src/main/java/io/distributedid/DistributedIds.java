package io.distributedid;

import io.distributedid.internal.registry.OpenSequence;
import io.distributedid.internal.registry.SequenceRegistry;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.ConnectionIdSource;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.IdTime;
import io.distributedid.spi.ShardedIdSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Stream;
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
 * <p><b>Do not change servers, table, schema or {@code ticket.bits} of a counter in a rolling deployment.</b> While
 * some instances count in the old place and others in the new one, both give the same ids. The library detects this
 * only if a database remembers where the sequence was counted: that of Hibernate's persistence unit, or the one given
 * with {@link Builder#applicationDatabase}. With neither, each object logs one warning. To give a counter another
 * place, use {@link IdAdmin#move} or {@code distributedid move}.
 */
public final class DistributedIds implements AutoCloseable {

    private static final int MAX_COUNT = 1_000_000;

    private final SequenceRegistry sequences;

    private final IdAdmin admin;

    private DistributedIds(SequenceRegistry sequences) {
        this.sequences = sequences;
        admin = new IdAdmin(sequences);
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
     * Returns the next ids of a sequence, as that many calls of {@link #next(String)} would, but reserves all missing
     * ids at once, up to {@code distributedid.block.max}. The ids may have gaps, because other callers take ids at the
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
     * Returns the next id of a sequence without waiting, for callers on event loops: Reactor, Vert.x, Netty. If an id
     * is in memory, the returned stage is already complete. Otherwise, a thread of the library waits for the id and
     * completes the stage; this includes the opening of the sequence. Dependent stages then run on that thread: hand
     * over to your own executor before anything that takes time. If the stage is cancelled while the thread waits, no
     * id is taken.
     *
     * @param sequence its name
     * @return completes with an id as {@link #next(String)} returns it, or with an exception that is named there; the
     *     call itself never throws these exceptions
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
     * with the same name are independent of these numbers.
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
     * Returns the source of a sequence. A caller that keeps the source saves a map look-up for each id.
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
     * Returns what operators, and the glue of frameworks, need for the places that ids come from: to compare them with
     * existing ids, and to raise, repair and move them.
     *
     * @return for the same sequences, with the same connections; works until this object is closed
     */
    public IdAdmin admin() {
        return admin;
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
     * <p>Reopens the sequences that were open; if no server answers, the next caller of a sequence reopens it. A fixed
     * worker number is refused, since all copies of the process have the same number. A number with
     * {@code distributedid.snowflake.state_file}, or of a StatefulSet, is used with a warning. Does nothing unless
     * suspended.
     *
     * @throws IdConfigurationException if a sequence can't be used any more; the others can
     */
    public void resume() {
        sequences.resume();
    }

    /**
     * Calls {@link #suspend}, then {@link #resume}. For a process that learns that it was resumed from a snapshot that
     * may run elsewhere too. Call this method before anything else: until then the process uses the same ids as other
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
         * server is set. Its table {@code distributedid} remembers the {@link IdAdmin#token} of each sequence that
         * counts; at its first use, and after each {@link DistributedIds#resume}, a sequence is refused if it is
         * counted in another place than before, or in a place whose token can't be read.
         *
         * @param access lends connections to it
         * @return this
         */
        public Builder applicationDatabase(ConnectionAccess access) {
            applicationDatabase = access;
            return this;
        }

        /**
         * Sets another database that remembers the {@link IdAdmin#token} of each sequence that counts, beside
         * {@link #applicationDatabase} or without it. A sequence is refused if either remembers another place. Use this
         * if the application's database is itself a server of ids: such a database cannot tell that another server has
         * taken its place.
         *
         * @param access lends connections to it
         * @return this
         */
        public Builder alsoRememberedIn(ConnectionAccess access) {
            witness = access;
            return this;
        }

        /**
         * Declares that the caller compares the {@link IdAdmin#token} of each sequence itself, for all databases that
         * hold its ids. This is for framework glue, and for tools that change the place. {@link #applicationDatabase}
         * and {@link #alsoRememberedIn} are then neither read nor written for tokens, and no warning is logged.
         *
         * @return this
         */
        public Builder tokensComparedByCaller() {
            return tokensComparedByCaller(sequence -> true);
        }

        /**
         * Declares that the caller compares the tokens of some sequences. All others are compared as usual.
         *
         * @param compared asked with the name of a sequence each time the sequence is opened: at its first use, and
         *     after each {@link DistributedIds#resume}. If true, the caller compares the token before it stores an id
         *     of this opening. Must not block
         * @return this
         */
        public Builder tokensComparedByCaller(Predicate<String> compared) {
            tokensCompared = compared;
            return this;
        }

        /**
         * Declares that this process answers the requests of others for numbers per key, as the issuing service does.
         * Only then may the numbers come from its memory ({@code distributedid.keyed.backend=section}): a process that
         * lacks a key names the process that has the key, and the request must be sent there.
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

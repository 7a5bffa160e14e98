package io.distributedid.internal.keyed;

import io.distributedid.KeyedSequence;
import io.distributedid.internal.keyed.row.GaplessRows;
import io.distributedid.internal.keyed.row.KeyedRows;
import io.distributedid.internal.keyed.row.RowKey;
import io.distributedid.internal.keyed.row.RowRecord.Way;
import io.distributedid.internal.keyed.source.KeyedSource;
import io.distributedid.internal.keyed.source.SectionTable;
import io.distributedid.internal.process.Pending;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Sequence;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A sequence with numbers per key, from its first use to the close. Checks arguments, and refuses a second way of
 * taking numbers in this process; the record in the database refuses it over all processes. Thread-safe.
 */
public final class KeyedNumbers implements KeyedSequence {

    /** The most numbers of one call. */
    public static final int MOST_NUMBERS = KeyText.MOST_NUMBERS;

    /** Leads to the connections that may be used now. */
    public interface Gate {

        /**
         * Runs work with them. If they were dropped meanwhile, so that a copy of this process may have the same result,
         * runs it again with new ones.
         *
         * @param began when the caller began, by {@link System#nanoTime}
         */
        <T> T take(long began, Function<KeyedBackend, T> work);

        /** Waits for the end of a suspension. */
        KeyedBackend open(long began);

        /** Runs work that does not wait; empty while suspended, or if the connections were dropped meanwhile. */
        <T> Optional<T> now(Function<KeyedBackend, T> work);

        /** Begins work that ends later. Fails while suspended, and if the connections were dropped meanwhile. */
        Pending<Long> begin(Function<KeyedBackend, Pending<Long>> work);
    }

    private final Sequence sequence;

    private final Gate gate;

    private final Duration timeout;

    /** How numbers were taken in this process: {@code ROWS} if outside of transactions. Null before the first. */
    private volatile @Nullable Way used;

    public KeyedNumbers(Sequence sequence, Gate gate) {
        this.sequence = sequence;
        this.gate = gate;
        this.timeout = sequence.settings().get(CoreSettings.BLOCK_TIMEOUT);
    }

    @Override
    public long next(String key) {
        return last(key(key), 1);
    }

    @Override
    public long[] next(String key, int count) {
        KeyText.requireCount(sequence.name(), count);
        return upTo(last(key(key), count), count);
    }

    @Override
    public long current(String key) {
        return current(key(key), timeout);
    }

    @Override
    public long next(String key, Connection connection) throws SQLException {
        return take(key(key), 1, connection);
    }

    @Override
    public long[] next(String key, int count, Connection connection) throws SQLException {
        KeyText.requireCount(sequence.name(), count);
        return upTo(take(key(key), count, connection), count);
    }

    /**
     * A text as this sequence knows a key.
     *
     * @throws IllegalArgumentException if it is no key
     */
    public String key(String text) {
        return KeyText.of(sequence.name(), text);
    }

    /**
     * As {@link #next(String, int)}, without an array.
     *
     * @param key by {@link #key}
     * @return the last of the numbers, which follow each other
     */
    public long last(String key, int count) {
        requireNot(Way.GAPLESS);
        return noted(asked(key, count, timeout), count);
    }

    /**
     * As {@link #last}, or {@link #current(String)} if {@code count} is 0, without a thread that waits. While this
     * process is suspended it fails at once.
     */
    public Pending<Long> begin(String key, int count) {
        requireNot(Way.GAPLESS);
        long began = System.nanoTime();
        Pending<Long> begun =
                gate.begin(backend -> backend.source(sequence).ask(sequence.name(), key, count, began, timeout));
        return new Pending<>(begun.answer().thenApply(last -> noted(last, count)), begun.end());
    }

    private long noted(long last, int count) {
        if (count > 0) {
            used = Way.ROWS;
        }
        return last;
    }

    /** How long a call waits for a number ({@code block.timeout}). */
    public Duration timeout() {
        return timeout;
    }

    /** Which process gives the numbers of which keys, see {@link KeyedSource#table}. Does not wait. */
    public Optional<SectionTable> table() {
        return gate.now(backend -> backend.source(sequence).table(sequence.name()))
                .flatMap(Function.identity());
    }

    private static long[] upTo(long last, int count) {
        return LongStream.rangeClosed(last - count + 1, last).toArray();
    }

    /**
     * As {@link #current(String)}.
     *
     * @param key by {@link #key}
     * @param limit of the wait
     */
    public long current(String key, Duration limit) {
        requireNot(Way.GAPLESS);
        return asked(key, 0, limit);
    }

    private long asked(String key, int count, Duration limit) {
        long began = System.nanoTime();
        String what = "a number: " + sequence + " key=" + key;
        return gate.take(
                began,
                backend -> backend.source(sequence)
                        .ask(sequence.name(), key, count, began, limit)
                        .await(Platform.JVM, limit.toNanos() - (System.nanoTime() - began), what));
    }

    /** Not repeated if suspended meanwhile: the row is locked, so only one copy of this process can commit. */
    private long take(String key, int count, Connection connection) throws SQLException {
        requireNot(Way.ROWS);
        KeyedBackend backend = gate.open(System.nanoTime());
        long last = backend.gapless(sequence).take(connection, backend.table(sequence), sequence.name(), key, count);
        used = Way.GAPLESS;
        return last;
    }

    /** Whether the rows of the keys are in the application's database. */
    public boolean isInApplication() {
        return isRow() && sequence.settings().given(KeyedSettings.SERVER).isEmpty();
    }

    /** Whether this process takes numbers from rows. */
    public boolean isRow() {
        return sequence.settings().get(KeyedSettings.BACKEND) == KeyedSettings.Place.ROW;
    }

    /** Refuses settings with which numbers can't be taken in the application's transactions. */
    public void requireInTransactions() {
        GaplessRows unused = gate.open(System.nanoTime()).gapless(sequence);
        if (!isInApplication()) {
            throw sequence.settings()
                    .invalid(
                            KeyedSettings.SERVER,
                            "set",
                            "no value for numbers without gaps, which are taken on the connection that inserts the row."
                                    + " Remove it for this sequence");
        }
    }

    /** Checks the table and the record of a sequence without gaps. */
    public void requireTable(Connection connection) throws SQLException {
        KeyedBackend backend = gate.open(System.nanoTime());
        backend.gapless(sequence).require(connection, backend.table(sequence), sequence.name());
    }

    /** Whether the table has a row of the sequence. */
    public boolean isUsed(Connection connection) throws SQLException {
        return GaplessRows.isUsed(connection, rowTable(), sequence.name());
    }

    /** The number that all new keys begin above, in the application's database; not for numbers without gaps. */
    public long floor(Connection connection) throws SQLException {
        return KeyedRows.floor(connection, rowTable(), sequence.name());
    }

    /**
     * A number that those of a key that were given do not exceed; 0 if none was given. Takes no part in sections.
     *
     * @param key by {@link #key}
     * @param limit of the wait
     */
    public long bound(String key, Duration limit) {
        requireNot(Way.GAPLESS);
        long began = System.nanoTime();
        return gate.take(began, backend -> backend.source(sequence).bound(sequence.name(), key, began, limit));
    }

    /** What to do so that keys go on above numbers of rows that this sequence has not given. */
    public String howToGoAbove() {
        return switch (sequence.settings().get(KeyedSettings.BACKEND)) {
            case ROW ->
                "Tell the database the largest number in use: INSERT INTO "
                        + rowTable() + " (name, key_text, number) VALUES ('" + sequence.name() + "', '"
                        + RowKey.FLOOR + "', <the largest number of the rows>), or raise that row if it exists";
            case SECTION ->
                "Bring back the store that gave them. Or take one number of the sequence without this check, stop all"
                        + " processes, and add the largest number of the rows to the number of all its sections";
            case REMOTE ->
                "Use the service that gave them, or raise the floor of its rows to the largest number of the rows";
        };
    }

    /** In SQL. */
    public String rowTable() {
        return gate.open(System.nanoTime()).table(sequence);
    }

    private void requireNot(Way other) {
        if (used == other) {
            throw other.refused(sequence.name(), "");
        }
    }
}

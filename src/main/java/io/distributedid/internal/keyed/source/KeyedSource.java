package io.distributedid.internal.keyed.source;

import io.distributedid.internal.process.Pending;
import java.time.Duration;
import java.util.Optional;

/**
 * One way of numbering keys, with its connections and threads. Arguments are checked by the caller: a key is a text by
 * the rules of keys, and a count is from 1 to 10,000. Thread-safe.
 */
public interface KeyedSource extends AutoCloseable {

    /**
     * Takes numbers of a key that follow each other, or reads its last one. Does not wait: so calls that wait for one
     * server keep no thread from those for another.
     *
     * @param count 0 to read the last number, or a larger one; the answer is 0 if it has none
     * @param began when the caller began, by {@link System#nanoTime}
     * @param timeout from then on
     * @return fails with {@link io.distributedid.IdStandbyException} if another process gives the numbers of this key,
     *     and {@link io.distributedid.IdUnavailableException} if there is none in time
     */
    Pending<Long> ask(String sequence, String key, int count, long began, Duration timeout);

    /**
     * A number that those of a key that were given do not exceed; 0 if none was given. For a process that only looks:
     * it takes no part. Waits. Otherwise as {@link #ask}.
     */
    long bound(String sequence, String key, long began, Duration timeout);

    /**
     * Who gives the numbers of which keys, as far as this process knows. Does not wait. Empty if every process gives
     * all; or as long as nothing is known.
     */
    default Optional<SectionTable> table(String sequence) {
        return Optional.empty();
    }

    /**
     * Takes over what a source of the same settings has learnt of its stores, so that one that went back is still
     * noticed. Called before the first call for a number.
     *
     * @param former abandoned
     */
    default void learn(KeyedSource former) {}

    /** Refuses calls from now on, without waiting. */
    void stop();

    /** Ends waits for a store within moments, also those of {@link #close}. Does not wait. */
    void cut();

    /** Ends without a word to any store: a copy of this process may go on with the same connections. */
    void abandon();

    @Override
    void close();
}

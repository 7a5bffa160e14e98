package io.distributedid.backend.snowflake;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.process.Holdings;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The fixed worker numbers in use in this JVM, across class loaders. No two backends may have the same number, even
 * with different layouts, since ids of two layouts may be equal. A number that was given back keeps the end of its use;
 * its next holder in this JVM starts above. Another process may have used the number since. Thread-safe.
 */
final class NumbersInUse {

    private final Supplier<Holdings> holdings;

    private NumbersInUse(Supplier<Holdings> holdings) {
        this.holdings = holdings;
    }

    static NumbersInUse ofJvm() {
        return new NumbersInUse(Holdings::ofJvm);
    }

    /** With holdings of its own, for tests. */
    static NumbersInUse apart() {
        Holdings own = new Holdings(new ConcurrentHashMap<>());
        return new NumbersInUse(() -> own);
    }

    /**
     * Takes a number. Returns the first id time that its former holder in this JVM did not use; empty without one.
     *
     * @param numbers as in {@code data_centre=1 worker=7}
     * @param settings the same, for messages
     * @throws IdConfigurationException if another backend of this JVM has it
     */
    OptionalLong take(String numbers, String settings) {
        String left = holdings.get()
                .take(numbers)
                .orElseThrow(() -> new IdConfigurationException(
                        "Two generators in one process must not have the same worker number: " + settings
                                + ". Give each persistence unit its own number; in tests, where several contexts stay"
                                + " open, set distributedid.backend=memory"));
        return left.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(left));
    }

    /** The next holder starts at {@code unused}, which is empty if the number was never used. */
    void giveBack(String numbers, OptionalLong unused) {
        holdings.get().giveBack(numbers, unused.isPresent() ? Long.toString(unused.getAsLong()) : "");
    }
}

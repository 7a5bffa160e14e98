package io.distributedid.backend.snowflake;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.process.Holdings;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The fixed numbers in use in this JVM, by whatever class loader: no two backends may have the same ones, whatever
 * their layouts, since ids of two layouts may be equal. Numbers that were given back remember up to when they were
 * used, above which their next holder begins. Thread-safe.
 */
final class NumbersInUse {

    private final Supplier<Holdings> holdings;

    private NumbersInUse(Supplier<Holdings> holdings) {
        this.holdings = holdings;
    }

    static NumbersInUse ofJvm() {
        return new NumbersInUse(Holdings::ofJvm);
    }

    /** Knows of nobody else's. */
    static NumbersInUse apart() {
        Holdings own = new Holdings(new ConcurrentHashMap<>());
        return new NumbersInUse(() -> own);
    }

    /**
     * Takes numbers.
     *
     * @param numbers that no other process has, as in {@code data_centre=1 worker=7}
     * @param said the same, for messages
     * @return the first id time that their former holder in this JVM did not use, empty if there was none
     * @throws IdConfigurationException if somebody has them
     */
    OptionalLong take(String numbers, String said) {
        String left = holdings.get()
                .take(numbers)
                .orElseThrow(() -> new IdConfigurationException(
                        "Two generators in one process must not have the same worker number: " + said
                                + ". Give each persistence unit its own number"));
        return left.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(left));
    }

    /** Lets the next holder begin at {@code unused}; empty if none ever used them. */
    void giveBack(String numbers, OptionalLong unused) {
        holdings.get().giveBack(numbers, unused.isPresent() ? Long.toString(unused.getAsLong()) : "");
    }
}

package io.distributedid.hibernate.internal.schema;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Compares numbers of rows with those that their sequence has given. A sequence that is new, or another one than
 * before, has given none of them. A place is what may fail or be replaced by itself, for example a server. One number
 * that may have been given is enough for its place. For one thread.
 */
final class GivenNumbers {

    private final ToIntFunction<String> place;

    private final ToLongFunction<String> bound;

    private final Set<Integer> given = new HashSet<>();

    /** By place, a number that was not given. */
    private final Map<Integer, String> others = new LinkedHashMap<>();

    private final Set<Integer> silent = new HashSet<>();

    private @Nullable IdUnavailableException silence;

    /**
     * @param place of a key
     * @param bound a number that those of a key that were given do not exceed. Throws {@link IdUnavailableException} if
     *     its place does not answer
     */
    GivenNumbers(ToIntFunction<String> place, ToLongFunction<String> bound) {
        this.place = place;
        this.bound = bound;
    }

    /**
     * Fails if a place has given none of the numbers, or if no place says that it has. Asks a place that does not
     * answer once.
     *
     * @param rows a number of some keys
     * @param advice what to do about numbers that were not given
     * @param unknown gets the reason if a place does not answer, but another one has given numbers
     */
    void require(Map<String, Long> rows, Supplier<String> advice, Consumer<String> unknown) {
        rows.forEach(this::ask);
        if (!others.isEmpty()) {
            throw new IdConfigurationException("Rows have numbers that their sequence has not given: "
                    + others.values().iterator().next() + ". They would be given again. " + advice.get() + "; or set "
                    + DistributedIdSettings.EXISTING_IDS + "=ignore");
        }
        IdUnavailableException failure = silence;
        if (failure == null) {
            return;
        }
        if (given.isEmpty()) {
            throw new IdUnavailableException(
                    "It is unknown whether the numbers of rows were given by their sequence: " + failure.getMessage()
                            + ". To start without the comparison, set " + DistributedIdSettings.EXISTING_IDS
                            + "=ignore",
                    failure);
        }
        unknown.accept(String.valueOf(failure.getMessage()));
    }

    private void ask(String key, long number) {
        int at = place.applyAsInt(key);
        if (given.contains(at) || silent.contains(at)) {
            return;
        }
        try {
            long most = bound.applyAsLong(key);
            if (most >= number) {
                given.add(at);
                others.remove(at);
            } else {
                others.put(at, "key=" + key + " has number=" + number + ", but none above " + most + " was given");
            }
        } catch (IdUnavailableException e) {
            silent.add(at);
            others.remove(at);
            silence = silence == null ? e : silence;
        }
    }
}

package io.distributedid.hibernate.internal.schema;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Compares numbers of rows with those that their sequence has given. A sequence that is new, or another one than
 * before, has given none of them, so that one number that may have been given is enough.
 *
 * <p>A key without an answer says nothing about the next one: behind an issuing service, another server may have that.
 * All keys together have one limit, and each may take an equal part of what the keys before it have left. For one
 * thread.
 */
final class GivenNumbers {

    /** Looks a key up. */
    @FunctionalInterface
    interface Bounds {

        /**
         * Returns a number that those of the key that were given do not exceed.
         *
         * @throws IdUnavailableException if there is no answer within the limit
         */
        long of(String key, Duration limit);
    }

    private final Bounds bounds;

    private final Duration limit;

    private final LongSupplier nanoTime;

    /**
     * @param limit of all lookups together
     * @param nanoTime a monotonic clock
     */
    GivenNumbers(Bounds bounds, Duration limit, LongSupplier nanoTime) {
        this.bounds = bounds;
        this.limit = limit;
        this.nanoTime = nanoTime;
    }

    /**
     * Fails if none of the numbers was given, or if no key says that it was.
     *
     * @param rows a number of some keys
     * @param advice what to do about numbers that were not given
     * @param unknown gets the reason if a key has no answer, but the number of another one was given
     */
    void require(Map<String, Long> rows, Supplier<String> advice, Consumer<String> unknown) {
        long deadline = nanoTime.getAsLong() + limit.toNanos();
        List<IdUnavailableException> silences = new ArrayList<>();
        String other = "";
        int unasked = rows.size();
        for (Map.Entry<String, Long> row : rows.entrySet()) {
            String key = row.getKey();
            long left = deadline - nanoTime.getAsLong();
            if (left <= 0) {
                silences.add(late(key, unasked - 1));
                break;
            }
            try {
                long most = bounds.of(key, Duration.ofNanos(Math.max(1, left / unasked)));
                if (most >= row.getValue()) {
                    if (!silences.isEmpty()) {
                        unknown.accept(reasons(silences));
                    }
                    return;
                }
                other = "key=" + key + " has number=" + row.getValue() + ", but none above " + most + " was given";
            } catch (IdUnavailableException e) {
                silences.add(e);
            }
            unasked--;
        }
        if (!silences.isEmpty()) {
            throw new IdUnavailableException(
                    "It is unknown whether the numbers of rows were given by their sequence: " + reasons(silences)
                            + ". To start without the comparison, set distributedid.existing_ids=ignore",
                    silences.get(0));
        }
        if (!other.isEmpty()) {
            throw new IdConfigurationException("Rows have numbers that their sequence has not given: " + other
                    + ". They would be given again. " + advice.get() + "; or set distributedid.existing_ids=ignore");
        }
    }

    private IdUnavailableException late(String key, int more) {
        return new IdUnavailableException("No time was left to look up key=" + key
                + (more == 0 ? "" : " and " + more + " more") + " within " + limitText());
    }

    private String limitText() {
        return limit.toMillis() + " ms (distributedid.block.timeout)";
    }

    private String reasons(List<IdUnavailableException> silences) {
        String first = String.valueOf(silences.get(0).getMessage());
        return silences.size() == 1
                ? first
                : silences.size() + " keys have got no answer within their part of " + limitText() + ", the first: "
                        + first;
    }
}

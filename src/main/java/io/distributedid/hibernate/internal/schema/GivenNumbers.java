package io.distributedid.hibernate.internal.schema;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Compares numbers of rows with those that their sequence has given. A sequence that is new, or another one than
 * before, has given none of them. A place is what may fail or be replaced by itself, for example a server. One number
 * that may have been given is enough for its place.
 *
 * <p>If it is unknown which keys share a place, as over an issuing service, one number of all keys is enough, and a key
 * without an answer says nothing about the next one.
 *
 * <p>All places together have one limit. Each may take an equal part of what the places before it have left, or each
 * key if places are unknown. So those that hang take no more than the limit, and leave time for the others. For one
 * thread.
 */
final class GivenNumbers {

    /** Looks a key up. */
    @FunctionalInterface
    interface Bounds {

        /**
         * Returns a number that those of the key that were given do not exceed.
         *
         * @throws IdUnavailableException if its place does not answer within the limit
         */
        long of(String key, Duration limit);
    }

    private final ToIntFunction<String> place;

    private final boolean arePlacesKnown;

    private final Bounds bounds;

    private final Duration limit;

    private final LongSupplier nanoTime;

    /** A number that was not given, of each place that has given none. */
    private final List<String> others = new ArrayList<>();

    /** Of each place, or each key, that has not answered. */
    private final List<IdUnavailableException> silences = new ArrayList<>();

    private boolean isAnyGiven;

    /**
     * @param place of a key
     * @param arePlacesKnown otherwise all keys have the same
     * @param limit of all lookups together
     * @param nanoTime a monotonic clock
     */
    GivenNumbers(
            ToIntFunction<String> place, boolean arePlacesKnown, Bounds bounds, Duration limit, LongSupplier nanoTime) {
        this.place = place;
        this.arePlacesKnown = arePlacesKnown;
        this.bounds = bounds;
        this.limit = limit;
        this.nanoTime = nanoTime;
    }

    /**
     * Fails if a place has given none of the numbers, or if no place says that it has. Asks a place that does not
     * answer once, if places are known.
     *
     * @param rows a number of some keys
     * @param advice what to do about numbers that were not given
     * @param unknown gets the reason if a place or key has no answer, but another one was given numbers
     */
    void require(Map<String, Long> rows, Supplier<String> advice, Consumer<String> unknown) {
        Map<Integer, List<String>> places = rows.keySet().stream()
                .collect(Collectors.groupingBy(place::applyAsInt, LinkedHashMap::new, Collectors.toList()));
        long deadline = nanoTime.getAsLong() + limit.toNanos();
        int unasked = places.size();
        for (List<String> keys : places.values()) {
            long now = nanoTime.getAsLong();
            ask(keys, rows, now + (deadline - now) / unasked);
            unasked--;
        }
        if (!others.isEmpty()) {
            throw new IdConfigurationException("Rows have numbers that their sequence has not given: "
                    + others.get(0) + ". They would be given again. " + advice.get() + "; or set "
                    + "distributedid.existing_ids=ignore");
        }
        if (silences.isEmpty()) {
            return;
        }
        String reasons = reasons(places.size());
        if (!isAnyGiven) {
            throw new IdUnavailableException(
                    "It is unknown whether the numbers of rows were given by their sequence: " + reasons
                            + ". To start without the comparison, set distributedid.existing_ids"
                            + "=ignore",
                    silences.get(0));
        }
        unknown.accept(reasons);
    }

    /** Asks a place. Only if it answers about all keys, it is known to have given none of them. */
    private void ask(List<String> keys, Map<String, Long> rows, long deadline) {
        List<IdUnavailableException> silent = new ArrayList<>();
        String other = "";
        boolean isGiven = false;
        boolean isOver = false;
        for (int i = 0; i < keys.size() && !isGiven && !isOver; i++) {
            String key = keys.get(i);
            int unasked = keys.size() - i;
            long number = Objects.requireNonNull(rows.get(key));
            long left = deadline - nanoTime.getAsLong();
            if (left <= 0) {
                silent.add(late(key, unasked - 1));
                break;
            }
            try {
                long most = bounds.of(key, Duration.ofNanos(arePlacesKnown ? left : Math.max(1, left / unasked)));
                isGiven = most >= number;
                other = "key=" + key + " has number=" + number + ", but none above " + most + " was given";
            } catch (IdUnavailableException e) {
                silent.add(e);
                isOver = arePlacesKnown;
            }
        }
        silences.addAll(silent);
        isAnyGiven |= isGiven;
        if (!isGiven && silent.isEmpty()) {
            others.add(other);
        }
    }

    private IdUnavailableException late(String key, int more) {
        return new IdUnavailableException("No time was left to look up key=" + key
                + (more == 0 ? "" : " and " + more + " more") + " within " + limitText());
    }

    private String limitText() {
        return limit.toMillis() + " ms (distributedid.block.timeout)";
    }

    private String reasons(int places) {
        if (!arePlacesKnown && silences.size() > 1) {
            return silences.size() + " keys have got no answer within their part of " + limitText() + ", the first: "
                    + silences.get(0).getMessage();
        }
        String all =
                silences.stream().map(each -> String.valueOf(each.getMessage())).collect(Collectors.joining("; "));
        return places == 1
                ? all
                : silences.size() + " of " + places + " servers have not answered within their part of " + limitText()
                        + ": " + all;
    }
}

package io.distributedid;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Whether ids are available, as far as this process knows. No server is asked: a failure becomes visible when a block
 * is fetched or a window renewed. Immutable.
 *
 * @param status the worst of all sequences; UP if there is none
 * @param sequences in the order of their names
 */
public record IdHealth(Status status, List<SequenceHealth> sequences) {

    /** From best to worst. */
    public enum Status {
        /** Ids are available, here or from the active process, and no problem is known. */
        UP,
        /** Ids are available, but a server is left out, the reserve can't be renewed, or the ids soon run out. */
        DEGRADED,
        /** The next call would fail. */
        DOWN
    }

    /**
     * Whether ids of one sequence are available.
     *
     * @param sequence its name
     * @param status of this sequence
     * @param reason the problem, in one line; empty if there is none
     * @param statistics the basis of the status; {@link SequenceStatistics#NONE} if the sequence is not open, or its
     *     backend keeps none
     */
    public record SequenceHealth(String sequence, Status status, String reason, SequenceStatistics statistics) {

        /**
         * Returns this health as a map, for JSON.
         *
         * @return see {@link IdHealth#details}; unmodifiable
         */
        public Map<String, Object> details() {
            return HealthDetails.of(this);
        }

        /** For logs: {@code photos DOWN: the reserve is empty}. */
        @Override
        public String toString() {
            return sequence + " " + status + (reason.isEmpty() ? "" : ": " + reason);
        }
    }

    /** Keeps a copy of the list. */
    public IdHealth {
        sequences = List.copyOf(sequences);
    }

    /**
     * Combines the health of sequences.
     *
     * @param sequences any number
     * @return with the worst of their statuses
     */
    public static IdHealth of(List<SequenceHealth> sequences) {
        return new IdHealth(
                sequences.stream()
                        .map(SequenceHealth::status)
                        .max(Status::compareTo)
                        .orElse(Status.UP),
                sequences);
    }

    /**
     * Returns the health as a map, for JSON. The keys are the names of the sequences. Each value is a map with these
     * entries, where they apply. Ids and the numbers of ids left are texts, since readers of JSON round large numbers.
     *
     * <ul>
     *   <li>{@code status}: {@code UP}, {@code DEGRADED} or {@code DOWN}
     *   <li>{@code reason}: the problem, in one line
     *   <li>{@code issued}: ids given; {@code waits}: calls that waited; {@code waitMicros}: how long, in total
     *   <li>{@code blocks}: a map of {@code reserve} (ids reserved and not handed out yet), {@code reserved},
     *       {@code dropped}, {@code overdue}, {@code fetched} (blocks), {@code failedFetches}, {@code fetchMicros} and
     *       {@code failure} (why the last fetch failed)
     *   <li>{@code worker}: a map of {@code number}, {@code windowEnd} (an instant in ISO 8601),
     *       {@code windowLeftMillis}, {@code clockOffsetMillis} (by which the local clock is ahead of the lease
     *       store's) and {@code failure}
     *   <li>{@code tenure}: of ids in strict order a map of {@code role} ({@code active} or {@code standby}),
     *       {@code active} (the active process), {@code leaseLeftMillis}, {@code takeovers} and {@code failure}
     *   <li>{@code capacity}: a map of {@code maxId}, {@code idsLeft} (numbers above the counter until the ids do not
     *       fit any more) and {@code layoutEnd} (when the layout runs out, an instant in ISO 8601)
     *   <li>{@code servers}: a list of maps of {@code server} (its address), {@code inUse} (false if it is left out),
     *       {@code fetches}, {@code failures}, {@code failovers}, {@code lastId} and {@code failure}
     * </ul>
     *
     * @return unmodifiable; holds maps, lists, strings, numbers and booleans only
     */
    public Map<String, Map<String, Object>> details() {
        Map<String, Map<String, Object>> details = new LinkedHashMap<>();
        sequences.forEach(each -> details.put(each.sequence(), each.details()));
        return Collections.unmodifiableMap(details);
    }

    /** One line for each sequence. */
    @Override
    public String toString() {
        return sequences.stream().map(SequenceHealth::toString).collect(Collectors.joining("\n"));
    }
}

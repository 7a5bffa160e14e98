package io.distributedid.internal.existing;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The search for the largest id of each remainder in one column, see {@link ExistingIds#maxOfEachRemainder}. It begins
 * with the largest id, and reads one range after the other below it. For one thread.
 */
final class RemainderSearch {

    private final IdQueries queries;

    private final long step;

    private final long distance;

    /** No id that is searched lies at or below it. */
    private final long least;

    private final Map<Long, Long> found = new TreeMap<>();

    /** The end of the next range. */
    private long until;

    private long length;

    /** {@code first} is the length of the first range. */
    RemainderSearch(IdQueries queries, long largest, long step, long distance, long first) {
        this.queries = queries;
        this.step = step;
        this.distance = distance;
        length = first;
        until = Math.max(0, largest);
        least = Math.max(0, until - distance);
        found.put(Math.floorMod(largest, step), largest);
    }

    /** Whether every remainder is found or no range is left. */
    boolean isOver() {
        return found.size() >= step || until <= least;
    }

    /** The query of the next range. */
    String query() {
        return queries.ofEachRemainder(step, from(), until);
    }

    private long from() {
        return Math.max(least, until - length);
    }

    /** Takes the result of {@link #query}, and goes on to the next range. */
    void add(List<Long> ids) {
        ids.forEach(id -> found.putIfAbsent(Math.floorMod(id, step), id));
        until = from();
        length = length > distance / 10 ? length : 10 * length;
    }

    /** The ids found until now, one of each remainder. */
    List<Long> found() {
        return List.copyOf(found.values());
    }
}

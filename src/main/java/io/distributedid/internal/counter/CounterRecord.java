package io.distributedid.internal.counter;

/**
 * What a server's {@link RecordTable} says of one of its counters.
 *
 * @param generation grows when the counter is raised, moved, or ids are handed back; a draw under an older one is
 *     refused
 * @param floor no id at or below it is ever handed back
 * @param identity of the server that the counter was last used on; empty if it is not known
 * @param isRetired whether no id may be drawn from it ever again
 */
public record CounterRecord(long generation, long floor, String identity, boolean isRetired) {

    /**
     * The record of a counter in use.
     *
     * @param generation as above
     * @param floor as above
     * @param identity as above
     */
    public CounterRecord(long generation, long floor, String identity) {
        this(generation, floor, identity, false);
    }
}

package io.distributedid.internal.counter;

/**
 * The record of a counter, in its server's {@link RecordStore}.
 *
 * @param generation grows when the counter is raised, moved, or ids are handed back; a draw under an older one is
 *     refused
 * @param floor no id at or below it is ever handed back
 * @param identity of the server that the counter was last used on; empty if it is not known
 * @param isRetired whether no id may be drawn from it ever again
 */
public record CounterRecord(long generation, long floor, String identity, boolean isRetired) {

    /** Of a counter in use. */
    public CounterRecord(long generation, long floor, String identity) {
        this(generation, floor, identity, false);
    }
}

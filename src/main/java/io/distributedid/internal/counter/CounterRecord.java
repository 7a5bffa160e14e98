package io.distributedid.internal.counter;

/**
 * What a server's {@link RecordTable} says of one of its counters.
 *
 * @param generation grows when the counter is raised, moved, or ids are handed back; a draw under an older one is refused
 * @param floor no id at or below it is ever handed back
 * @param identity of the server that the counter was last used on; empty if it is not known
 */
public record CounterRecord(long generation, long floor, String identity) {}

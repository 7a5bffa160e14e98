package io.distributedid.internal.counter;

/**
 * Keeps a client that knows an older state of a counter from changing it. The transaction that changes the counter
 * first takes a shared lock on the record's row and compares the generation, then locks the counter's row. A plain
 * EXISTS is no fence: an UPDATE that waited for its row keeps the old snapshot for the subquery.
 *
 * @param table the record's table, as in SQL
 * @param key of the counter's record
 * @param generation that the record must have
 */
public record Fence(String table, String key, long generation) {}

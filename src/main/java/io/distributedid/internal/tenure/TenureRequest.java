package io.distributedid.internal.tenure;

import org.jspecify.annotations.Nullable;

/**
 * A compare-and-set of the row.
 *
 * @param expected the row as it was read or written; null if there was none
 * @param next the row to write
 * @param from the first value that the tenure may use
 * @param since before the request was first sent, by the clock of its sender
 */
public record TenureRequest(@Nullable TenureRow expected, TenureRow next, long from, long since) {}

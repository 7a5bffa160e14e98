package io.distributedid.backend.snowflake.lease;

import org.jspecify.annotations.Nullable;

/**
 * A compare-and-set that requests a window.
 *
 * @param expected the row as it was read; null if there was none
 * @param from the first id time that is granted if {@code next} replaces the row
 */
public record LeaseRequest(@Nullable WorkerRow expected, WorkerRow next, long from) {}

package io.distributedid.backend.snowflake.lease;

import org.jspecify.annotations.Nullable;

/**
 * A compare-and-set by which a process asks for a window.
 *
 * @param expected the row as it was read; null if there was none
 * @param next what takes its place
 * @param from the first id time that is granted if the row was replaced
 */
public record LeaseRequest(@Nullable WorkerRow expected, WorkerRow next, long from) {}

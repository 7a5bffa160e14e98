package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.Fence;
import java.util.Optional;

/**
 * What is to be added to a sequence's row.
 *
 * @param table as in SQL
 * @param name of the row
 * @param amount to be added
 * @param lastHere nothing is added to a row that lies below
 * @param fence what the counter's record must say; empty if there is no record
 */
record Addition(String table, String name, long amount, long lastHere, Optional<Fence> fence) {}

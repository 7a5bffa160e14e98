package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.Fence;
import java.util.Optional;

/**
 * An amount to add to a sequence's row.
 *
 * @param lastKnown nothing is added to a row below this id
 * @param fence the generation that the counter's record must have; empty if there is no record
 */
record Addition(String table, String name, long amount, long lastKnown, Optional<Fence> fence) {}

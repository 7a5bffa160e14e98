package io.distributedid;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How much is left until a sequence runs out of ids: for a counter, the ids above it; for ids that hold the time, the
 * time until their layout runs out. Immutable.
 *
 * @param maxId the largest id of the sequence, by its type, its table or its layout
 * @param idsLeft numbers between the largest known counter and {@code maxId}; empty if ids hold the time, or no server
 *     has answered yet
 * @param until when the layout runs out; empty if ids hold no time
 * @param timeLeft from the local clock to {@code until}, negative afterwards; empty if ids hold no time
 */
public record CapacityStatistics(
        long maxId, OptionalLong idsLeft, Optional<Instant> until, Optional<Duration> timeLeft) {

    /**
     * Returns the capacity of a counter.
     *
     * @param maxId the largest id
     * @param lastId the largest known counter; empty if none is known
     * @return without a time
     */
    public static CapacityStatistics ofCounter(long maxId, OptionalLong lastId) {
        return new CapacityStatistics(
                maxId,
                lastId.isPresent() ? OptionalLong.of(Math.max(0, maxId - lastId.getAsLong())) : OptionalLong.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /**
     * Returns the capacity of ids that hold the time.
     *
     * @param maxId the largest id
     * @param until when the layout runs out
     * @param now by the local clock
     * @return without a number of ids
     */
    public static CapacityStatistics ofTime(long maxId, Instant until, Instant now) {
        return new CapacityStatistics(
                maxId, OptionalLong.empty(), Optional.of(until), Optional.of(Duration.between(now, until)));
    }
}

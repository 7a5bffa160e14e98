package io.distributedid.snowflake;

import io.distributedid.DecodedId;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How the 63 usable bits of an id are divided, most significant first: time since the epoch, worker, sequence.
 *
 * @param epoch the instant at which the time is zero, to the millisecond
 * @param timeBits width of the time in milliseconds
 * @param workerBits width of the worker number
 * @param sequenceBits width of the number within a millisecond
 */
record SnowflakeLayout(Instant epoch, int timeBits, int workerBits, int sequenceBits) {

    /**
     * @throws IllegalArgumentException if the widths are not positive or do not add up to 63
     */
    SnowflakeLayout {
        if (timeBits < 1 || workerBits < 1 || sequenceBits < 1 || timeBits + workerBits + sequenceBits != 63) {
            throw new IllegalArgumentException("The widths of a layout must be positive and add up to 63: timeBits="
                    + timeBits + " workerBits=" + workerBits + " sequenceBits=" + sequenceBits);
        }
    }

    /** Twitter's: 41 bits of time (69 years), 10 of worker, 12 of sequence. */
    static SnowflakeLayout twitter(Instant epoch) {
        return new SnowflakeLayout(epoch, 41, 10, 12);
    }

    long maxTick() {
        return (1L << timeBits) - 1;
    }

    long maxWorker() {
        return (1L << workerBits) - 1;
    }

    /** Milliseconds from the epoch to {@code millis} since 1970; negative before the epoch. */
    long tick(long millis) {
        return millis - epoch.toEpochMilli();
    }

    /** The year in which the time field overflows. */
    int lastYear() {
        return epoch.plusMillis(maxTick()).atOffset(ZoneOffset.UTC).getYear();
    }

    /**
     * The id.
     *
     * @param tickAndSequence the tick, shifted left by the width of the sequence, and the sequence
     */
    long compose(long tickAndSequence, long worker) {
        long tick = tickAndSequence >>> sequenceBits;
        long sequence = tickAndSequence & ((1L << sequenceBits) - 1);
        return (tick << (workerBits + sequenceBits)) | (worker << sequenceBits) | sequence;
    }

    DecodedId decode(long id) {
        Map<String, Long> fields = new LinkedHashMap<>();
        fields.put("worker", (id >>> sequenceBits) & maxWorker());
        fields.put("sequence", id & ((1L << sequenceBits) - 1));
        return new DecodedId(id, epoch.plusMillis(id >>> (workerBits + sequenceBits)), fields);
    }
}

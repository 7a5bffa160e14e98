package io.distributedid.spi;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

/**
 * The place of the time in ids that hold it: above {@code shift} bits of other fields, in units since an epoch. Reads
 * the time from an id, and finds the ids of an instant. Immutable.
 *
 * @param epoch the instant at which the time is zero, to the millisecond
 * @param unit of the time, whole milliseconds
 * @param bits the width of the time, 1 to 50
 * @param shift the width of the fields below it, from 1; at most 63 bits together
 */
public record IdTime(Instant epoch, Duration unit, int bits, int shift) {

    /** With more, milliseconds overflow. */
    private static final int MOST_BITS = 50;

    /** @throws IllegalArgumentException if a width is not allowed, or the unit is not a whole number of milliseconds */
    public IdTime {
        if (bits < 1 || bits > MOST_BITS || shift < 1 || bits + shift > 63) {
            throw new IllegalArgumentException("The time of an id must have 1 to " + MOST_BITS
                    + " bits, and at most 63 together with the bits below it: bits=" + bits + " shift=" + shift);
        }
        if (unit.toMillis() < 1 || !Duration.ofMillis(unit.toMillis()).equals(unit)) {
            throw new IllegalArgumentException("The unit of an id's time must be whole milliseconds: unit=" + unit);
        }
    }

    /**
     * Returns the largest time that fits.
     *
     * @return in units since the epoch
     */
    public long maxTick() {
        return (1L << bits) - 1;
    }

    /**
     * Returns the largest id.
     *
     * @return all bits set
     */
    public long maxId() {
        return (1L << (bits + shift)) - 1;
    }

    /**
     * Returns when an id was made.
     *
     * @param id positive
     * @return the start of its unit
     */
    public Instant instant(long id) {
        return epoch.plusMillis((id >>> shift) * unit.toMillis());
    }

    /**
     * Returns the smallest id of the unit that contains an instant. For range scans by time on the key: {@code id >=
     * floor(from) AND id < floor(until)}; ids may run ahead of the clock by {@code distributedid.snowflake.max_ahead}.
     *
     * @param instant any; outside the range of the time field, the nearest instant inside is used
     * @return that id
     */
    public long floor(Instant instant) {
        return tick(instant) << shift;
    }

    /**
     * Returns the largest id of the unit that contains an instant; see {@link #floor}.
     *
     * @param instant any
     * @return that id
     */
    public long ceiling(Instant instant) {
        return floor(instant) | ((1L << shift) - 1);
    }

    /**
     * Returns when the time field runs out. From then on no id can be made.
     *
     * @return the end of the last unit
     */
    public Instant end() {
        return epoch.plusMillis((maxTick() + 1) * unit.toMillis());
    }

    /**
     * Returns the year in which the time field runs out.
     *
     * @return in UTC
     */
    public int lastYear() {
        return epoch.plusMillis(maxTick() * unit.toMillis())
                .atOffset(ZoneOffset.UTC)
                .getYear();
    }

    private long tick(Instant instant) {
        Instant end = epoch.plusMillis(maxTick() * unit.toMillis());
        if (instant.isBefore(epoch)) {
            return 0;
        }
        return instant.isAfter(end)
                ? maxTick()
                : Duration.between(epoch, instant).toMillis() / unit.toMillis();
    }
}

package io.distributedid.spi;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

/**
 * Where the time stands in ids that hold it: above {@code shift} bits of other fields, in units since an epoch. That is
 * all one needs to know to read the time from an id, or to find the ids of an instant.
 *
 * @param epoch the instant at which the time is zero, to the millisecond
 * @param unit of the time, whole milliseconds
 * @param bits the width of the time
 * @param shift the width of what stands below it
 */
public record IdTime(Instant epoch, Duration unit, int bits, int shift) {

    /** Beyond it nobody lives, and milliseconds overflow. */
    private static final int MOST_BITS = 50;

    /** @throws IllegalArgumentException if a width is not allowed, or the unit is no whole number of milliseconds */
    public IdTime {
        if (bits < 1 || bits > MOST_BITS || shift < 1 || bits + shift > 63) {
            throw new IllegalArgumentException("The time of an id must have 1 to " + MOST_BITS
                    + " bits, and at most 63 together with what stands below it: bits=" + bits + " shift=" + shift);
        }
        if (unit.toMillis() < 1 || !Duration.ofMillis(unit.toMillis()).equals(unit)) {
            throw new IllegalArgumentException("The unit of an id's time must be whole milliseconds: unit=" + unit);
        }
    }

    /**
     * The largest time that fits.
     *
     * @return in units since the epoch
     */
    public long maxTick() {
        return (1L << bits) - 1;
    }

    /**
     * The largest id.
     *
     * @return all bits set
     */
    public long maxId() {
        return (1L << (bits + shift)) - 1;
    }

    /**
     * When an id was made.
     *
     * @param id positive
     * @return to the unit
     */
    public Instant instant(long id) {
        return epoch.plusMillis((id >>> shift) * unit.toMillis());
    }

    /**
     * The smallest id that the unit in which an instant lies can have. An instant outside of the layout's time counts
     * as the nearest one inside.
     *
     * @param instant any
     * @return that id
     */
    public long floor(Instant instant) {
        return tick(instant) << shift;
    }

    /**
     * The largest id that the unit in which an instant lies can have; see {@link #floor}.
     *
     * @param instant any
     * @return that id
     */
    public long ceiling(Instant instant) {
        return floor(instant) | ((1L << shift) - 1);
    }

    /**
     * The year in which the time runs out, in UTC.
     *
     * @return that of the last unit
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

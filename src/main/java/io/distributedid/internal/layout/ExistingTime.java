package io.distributedid.internal.layout;

import io.distributedid.spi.Sequence;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * An id that exists, beside a clock. Ids that hold the time grow with it: one from the future shows that it was made
 * with another epoch or unit, or that the clock is behind, before new ids reach those that exist.
 *
 * @param sequence whose id it is said to be
 * @param id any
 * @param layout of the sequence's ids
 * @param now the clock that new ids take their time from
 */
public record ExistingTime(Sequence sequence, long id, IdLayout layout, Instant now) {

    /** An epoch that leaves less is not worth a change. */
    private static final Duration LEAST_TIME_LEFT = Duration.ofDays(365);

    /**
     * Whether the layout can have made it.
     *
     * @return false if it has more bits, or is negative
     */
    public boolean fits() {
        return id >= 0 && id <= layout.time().maxId();
    }

    /**
     * Its time.
     *
     * @return in units of the layout since the epoch
     */
    public long tick() {
        return id >>> layout.time().shift();
    }

    /**
     * Its time.
     *
     * @return to the unit of the layout
     */
    public Instant time() {
        return layout.time().instant(id);
    }

    /**
     * How far it lies in the future.
     *
     * @return negative if it does not
     */
    public Duration ahead() {
        return Duration.between(now, time());
    }

    /**
     * An epoch from which on ids made now are larger: the later one of midnights in UTC.
     *
     * @return empty if the layout would have less than a year left
     */
    public Optional<Instant> epochBelow() {
        if (!fits()) {
            return Optional.empty();
        }
        Duration unit = layout.time().unit();
        Instant epoch = now.minus(unit.multipliedBy(tick() + 1)).truncatedTo(ChronoUnit.DAYS);
        Instant end = epoch.plus(unit.multipliedBy(layout.time().maxTick()));
        return end.isBefore(now.plus(LEAST_TIME_LEFT)) ? Optional.empty() : Optional.of(epoch);
    }

    /**
     * What to do where ids from now on must lie above it and would not.
     *
     * @param setting of the epoch
     * @return a sentence
     */
    public String epochAdvice(String setting) {
        return epochBelow()
                .map(epoch ->
                        "If another generator made it, or a clock that was ahead, an earlier epoch makes new ids larger: "
                                + setting + "="
                                + epoch
                                + " or earlier. Change the epoch only while no process uses the old one")
                .orElse(
                        "No epoch makes new ids larger and leaves a year or more in the layout: if another generator made"
                                + " it, choose a layout with more bits of time");
    }

    /** The values, for messages. */
    @Override
    public String toString() {
        String values = "seq=" + sequence.name() + " id=" + id;
        return fits()
                ? values + " time=" + time() + ", clock=" + now + ", layout=" + layout
                : values + ", layout=" + layout;
    }
}

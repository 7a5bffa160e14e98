package io.distributedid.internal.layout;

import io.distributedid.spi.Sequence;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Compares an existing id with the clock {@code now}, from which new ids take their time. An id from the future was
 * made with another epoch or unit, or the clock is behind. So the error is found before new ids reach existing ones.
 */
public record ExistingTime(Sequence sequence, long id, IdLayout layout, Instant now) {

    /** An epoch that leaves less is not proposed. */
    private static final Duration LEAST_TIME_LEFT = Duration.ofDays(365);

    /** False if the id is negative or has more bits than the layout. */
    public boolean fits() {
        return id >= 0 && id <= layout.time().maxId();
    }

    /** The time of the id in units of the layout since the epoch. */
    public long tick() {
        return id >>> layout.time().shift();
    }

    public Instant time() {
        return layout.time().instant(id);
    }

    /** How far the id lies in the future; negative if it lies in the past. */
    public Duration ahead() {
        return Duration.between(now, time());
    }

    /**
     * The latest epoch, at midnight UTC, with which ids made now are larger. Empty if the layout would have less than a
     * year left.
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

    /** For messages: the epoch to set if new ids must be larger than this one. {@code setting} is its name. */
    public String epochAdvice(String setting) {
        return epochBelow()
                .map(epoch -> "If another generator or a clock that was ahead made the id, an earlier epoch makes new"
                        + " ids larger: " + setting + "="
                        + epoch
                        + " or earlier. Change the epoch only while no process uses the old one")
                .orElse("No epoch makes new ids larger and leaves a year or more in the layout: if another generator"
                        + " made the id, choose a layout with more bits of time");
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

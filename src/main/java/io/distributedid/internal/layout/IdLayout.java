package io.distributedid.internal.layout;

import io.distributedid.DecodedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.IdTime;
import io.distributedid.spi.Sequence;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How the bits of a composed id are divided into fields, and how an id is put together and taken apart. Immutable.
 *
 * <p>The time stands first, so that ids sort by it; the other fields follow in any order, the sequence among them. The
 * time is counted in ticks: units of a millisecond, ten milliseconds or a second since the epoch.
 *
 * <p>{@code compose(tick, sequence, place(WORKER, 7) | place(DATA_CENTRE, 2))} makes an id: fields that don't change
 * are placed once, and composing is a few shifts.
 */
public final class IdLayout {

    /** An id is positive, so the sign bit stays zero. */
    private static final int MOST_BITS = 63;

    private final IdTime time;

    /** In the order in which they stand in an id, most significant first. */
    private final Map<IdField, Integer> widths;

    private final Map<IdField, Integer> shifts = new EnumMap<>(IdField.class);

    private final long epochMillis;

    private final long unitMillis;

    private final int timeShift;

    private final int sequenceShift;

    /**
     * Checks the fields.
     *
     * @param epoch the instant at which the time is zero, to the millisecond
     * @param unit of the time: 1 ms, 10 ms or 1 s
     * @param widths bits of each field, in the order in which they stand in an id, most significant first
     * @throws IllegalArgumentException if they make no layout, naming the rule
     */
    public IdLayout(Instant epoch, Duration unit, Map<IdField, Integer> widths) {
        this.widths = new LinkedHashMap<>(widths);
        int bits = check(this.widths);
        epochMillis = epoch.toEpochMilli();
        unitMillis = unit.toMillis();
        int shift = bits;
        for (Map.Entry<IdField, Integer> field : this.widths.entrySet()) {
            shift -= field.getValue();
            shifts.put(field.getKey(), shift);
        }
        timeShift = Objects.requireNonNull(shifts.get(IdField.TIME));
        sequenceShift = Objects.requireNonNull(shifts.get(IdField.SEQUENCE));
        time = new IdTime(Instant.ofEpochMilli(epochMillis), unit, bits(IdField.TIME), timeShift);
    }

    private static int check(Map<IdField, Integer> widths) {
        String text = text(widths);
        if (widths.keySet().stream().findFirst().orElse(null) != IdField.TIME) {
            throw new IllegalArgumentException(
                    "The first field of a layout must be the time, so that ids sort by it: " + text);
        }
        if (!widths.containsKey(IdField.SEQUENCE)) {
            throw new IllegalArgumentException(
                    "A layout must have a sequence, which tells the ids of one unit of time apart: " + text);
        }
        if (widths.size() == 2) {
            throw new IllegalArgumentException("A layout must have a field that tells processes apart: " + text
                    + ", allowed: worker, data_centre, business, shard");
        }
        widths.forEach((field, width) -> {
            if (width < 1) {
                throw new IllegalArgumentException(
                        "Every field of a layout must have 1 bit or more: " + field.label() + ":" + width);
            }
        });
        int bits = widths.values().stream().mapToInt(Integer::intValue).sum();
        if (bits > MOST_BITS) {
            throw new IllegalArgumentException("The fields of a layout must have at most " + MOST_BITS
                    + " bits together, so that ids are positive: " + text + " has " + bits);
        }
        return bits;
    }

    /**
     * Where the time stands.
     *
     * @return epoch, unit, width and place
     */
    public IdTime time() {
        return time;
    }

    /**
     * Requires that all ids can be stored.
     *
     * @param sequence that has this layout
     * @param fix what to do if they can't
     * @throws IdConfigurationException if they can't
     */
    public void requireFit(Sequence sequence, String fix) {
        if (time.maxId() > sequence.maxValue()) {
            throw new IdConfigurationException("The ids of a layout must fit: " + sequence + " stores up to "
                    + sequence.maxValue() + ", the layout gives up to " + time.maxId() + ": " + this + ". " + fix);
        }
    }

    /**
     * Where the shard stands.
     *
     * @return empty if there is none
     */
    public Optional<IdShard> shard() {
        return has(IdField.SHARD)
                ? Optional.of(new IdShard(bits(IdField.SHARD), shifts.getOrDefault(IdField.SHARD, 0)))
                : Optional.empty();
    }

    /**
     * Whether a field is there.
     *
     * @param field any
     * @return whether it has bits
     */
    public boolean has(IdField field) {
        return widths.containsKey(field);
    }

    /**
     * The width of a field.
     *
     * @param field any
     * @return 0 if it is not there
     */
    public int bits(IdField field) {
        return widths.getOrDefault(field, 0);
    }

    /**
     * The largest value of a field.
     *
     * @param field any
     * @return 0 if it is not there
     */
    public long max(IdField field) {
        return (1L << bits(field)) - 1;
    }

    /**
     * The tick in which an instant lies.
     *
     * @param millis since 1970
     * @return negative before the epoch
     */
    public long tick(long millis) {
        long sinceEpoch = millis - epochMillis;
        return unitMillis == 1 ? sinceEpoch : Math.floorDiv(sinceEpoch, unitMillis);
    }

    /**
     * When a tick begins.
     *
     * @param tick any
     * @return milliseconds since 1970
     */
    public long millis(long tick) {
        return epochMillis + tick * unitMillis;
    }

    /**
     * A value in the place of its field, to be combined with others by {@code |}.
     *
     * @param field any
     * @param value of the field; 0 if the layout has no such field
     * @return the bits of an id that has nothing else
     * @throws IllegalArgumentException if the value does not fit
     */
    public long place(IdField field, long value) {
        if (value < 0 || value > max(field)) {
            throw new IllegalArgumentException("A value must fit its field: " + field.label() + "=" + value
                    + ", allowed: 0 to " + max(field) + " in " + this);
        }
        return value << shifts.getOrDefault(field, 0);
    }

    /**
     * The id. Checks nothing.
     *
     * @param tick 0 to {@link IdTime#maxTick()}
     * @param sequence 0 to its largest value
     * @param fields the others, placed
     * @return all of them together
     */
    public long compose(long tick, long sequence, long fields) {
        return (tick << timeShift) | (sequence << sequenceShift) | fields;
    }

    /**
     * Takes an id apart.
     *
     * @param id of this layout
     * @return its fields
     * @throws IllegalArgumentException if no id of this layout can be that large, or that small
     */
    public DecodedId decode(long id) {
        if (id < 0 || id > time.maxId()) {
            throw new IllegalArgumentException(
                    "An id must fit its layout: id=" + id + ", allowed: 0 to " + time.maxId() + " in " + this);
        }
        Map<String, Long> fields = new LinkedHashMap<>();
        StringBuilder bits = new StringBuilder();
        for (IdField field : widths.keySet()) {
            long value = (id >>> shifts.getOrDefault(field, 0)) & max(field);
            bits.append(bits.isEmpty() ? "" : " ").append(binary(value, bits(field)));
            if (field != IdField.TIME) {
                fields.put(field.label(), value);
            }
        }
        return new DecodedId(id, time.instant(id), fields, bits.toString());
    }

    private static String binary(long value, int width) {
        return Long.toBinaryString((1L << width) | value).substring(1);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IdLayout layout && toString().equals(layout.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    /**
     * All that must never change once ids exist: {@code time(ms):41, worker:10, sequence:12 from 2024-01-01T00:00:00Z}.
     *
     * @return equal for equal layouts
     */
    public String text() {
        String unit = unitMillis == 1_000 ? "s" : unitMillis == 1 ? "ms" : unitMillis + "ms";
        return text(widths).replaceFirst("time", "time(" + unit + ")") + " from " + time.epoch();
    }

    /** For example {@code time(ms):41, worker:10, sequence:12 from 2024-01-01T00:00:00Z until 2093}. */
    @Override
    public String toString() {
        return text() + " until " + time.lastYear();
    }

    private static String text(Map<IdField, Integer> widths) {
        return widths.entrySet().stream()
                .map(field -> field.getKey().label() + ":" + field.getValue())
                .collect(Collectors.joining(", "));
    }
}

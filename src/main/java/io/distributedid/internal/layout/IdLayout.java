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
 * Divides the bits of an id into fields; composes and decodes ids. Immutable.
 *
 * <p>The time is the first field, so that ids sort by it. The other fields, including the sequence, follow in any
 * order. The time is counted in ticks since the epoch: a tick is a millisecond, ten milliseconds or a second.
 *
 * <p>{@code compose(tick, sequence, place(WORKER, 7) | place(DATA_CENTRE, 2))} makes an id. Callers place the constant
 * fields once, so that composing is a few shifts.
 */
public final class IdLayout {

    /** Without the sign bit: ids are positive. */
    private static final int MOST_BITS = 63;

    private final IdTime time;

    /** In bits, the most significant field first. */
    private final Map<IdField, Integer> widths;

    private final Map<IdField, Integer> shifts = new EnumMap<>(IdField.class);

    private final long epochMillis;

    private final long unitMillis;

    private final int timeShift;

    private final int sequenceShift;

    /** See {@link #text()}. Kept, since many sequences use it at start. */
    private final String text;

    /**
     * Checks the fields.
     *
     * @param epoch the instant at which the time is zero, to the millisecond
     * @param unit 1 ms, 10 ms or 1 s
     * @param widths in bits, the most significant field first
     * @throws IllegalArgumentException if they break a rule; the message names it
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
        String unitText = unitMillis == 1_000 ? "s" : unitMillis == 1 ? "ms" : unitMillis + "ms";
        text = text(this.widths).replaceFirst("time", "time(" + unitText + ")") + " from " + time.epoch();
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

    /** The epoch, unit, width and position of the time. */
    public IdTime time() {
        return time;
    }

    /** Checks that the column of the sequence can store all ids. {@code fix} is what to do if not, for the message. */
    public void requireFit(Sequence sequence, String fix) {
        if (time.maxId() > sequence.maxValue()) {
            throw new IdConfigurationException("The ids of a layout must fit: " + sequence + " stores up to "
                    + sequence.maxValue() + ", the layout gives up to " + time.maxId() + ": " + this + ". " + fix);
        }
    }

    /** The position of the shard; empty if ids carry no shard. */
    public Optional<IdShard> shard() {
        return has(IdField.SHARD)
                ? Optional.of(new IdShard(bits(IdField.SHARD), shifts.getOrDefault(IdField.SHARD, 0)))
                : Optional.empty();
    }

    public boolean has(IdField field) {
        return widths.containsKey(field);
    }

    /** Whether a field tells processes apart. Otherwise one process at a time may make ids. */
    public boolean tellsProcessesApart() {
        return widths.size() > 2;
    }

    /** The width of a field; 0 if the layout has no such field. */
    public int bits(IdField field) {
        return widths.getOrDefault(field, 0);
    }

    /** The largest value of a field; 0 if the layout has no such field. */
    public long max(IdField field) {
        return (1L << bits(field)) - 1;
    }

    /** The tick of a time in milliseconds since 1970; negative before the epoch. */
    public long tick(long millis) {
        long sinceEpoch = millis - epochMillis;
        return unitMillis == 1 ? sinceEpoch : Math.floorDiv(sinceEpoch, unitMillis);
    }

    /** The first tick that starts at {@code millis} or later. */
    public long firstTick(long millis) {
        long tick = tick(millis);
        return millis(tick) == millis ? tick : tick + 1;
    }

    /** The start of a tick in milliseconds since 1970. */
    public long millis(long tick) {
        return epochMillis + tick * unitMillis;
    }

    /**
     * Shifts a value to the position of its field. Values of several fields are combined with {@code |}.
     *
     * @param value 0 if the layout has no such field
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
     * Composes an id. Checks nothing.
     *
     * @param tick 0 to {@link IdTime#maxTick()}
     * @param sequence 0 to {@link #max}
     * @param fields the other fields, from {@link #place}
     */
    public long compose(long tick, long sequence, long fields) {
        return (tick << timeShift) | (sequence << sequenceShift) | fields;
    }

    /**
     * Splits an id into its fields.
     *
     * @throws IllegalArgumentException if the id is negative or has more bits than this layout
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
     * The fields and the epoch, which must never change once ids exist, for example {@code time(ms):41, worker:10,
     * sequence:12 from 2024-01-01T00:00:00Z}. Equal for equal layouts.
     */
    public String text() {
        return text;
    }

    /** For example {@code time(ms):41, worker:10, sequence:12 from 2024-01-01T00:00:00Z until 2093}. */
    @Override
    public String toString() {
        return text + " until " + time.lastYear();
    }

    private static String text(Map<IdField, Integer> widths) {
        return widths.entrySet().stream()
                .map(field -> field.getKey().label() + ":" + field.getValue())
                .collect(Collectors.joining(", "));
    }
}

package io.distributedid.internal.layout;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses the name of a layout, or its fields: {@code time(s):28, worker:22, sequence:13}, with widths in bits, the most
 * significant field first. The unit of the time is {@code ms} (the default), {@code 10ms} or {@code s}.
 */
public final class LayoutParser {

    /** The epoch of all layouts except Instagram's. */
    public static final Instant DEFAULT_EPOCH = Instant.parse("2024-01-01T00:00:00Z");

    /** Instagram's epoch, of 2011. */
    private static final Instant INSTAGRAM_EPOCH = Instant.ofEpochMilli(1_314_220_021_721L);

    private static final Pattern FIELD =
            Pattern.compile("([a-z_]+)\\s*(?:\\(\\s*(ms|10ms|s)\\s*\\))?\\s*:\\s*(\\d{1,3})");

    private static final Map<String, Duration> UNITS =
            Map.of("ms", Duration.ofMillis(1), "10ms", Duration.ofMillis(10), "s", Duration.ofSeconds(1));

    /** The layouts that have a name. */
    private enum Preset {
        /** Twitter's. */
        SNOWFLAKE("time(ms):41, worker:10, sequence:12"),
        DATA_CENTRE_BUSINESS("time(ms):41, data_centre:6, business:6, sequence:10"),
        /** Lasts 136 years; each of 2,048 workers makes a million ids a second. */
        SECONDS("time(s):32, worker:11, sequence:20"),
        BAIDU("time(s):28, worker:22, sequence:13"),
        /**
         * Instagram's original has 41 bits of time including the sign bit. The ids are the same as long as they are
         * positive.
         */
        INSTAGRAM("time(ms):40, shard:13, sequence:10"),
        /** For 2,048 shards and 64 processes; each process makes 32,000 ids a second. */
        SHARDED("time(ms):41, shard:11, worker:6, sequence:5"),
        /** Below 2^53, and so exact in JavaScript; each of 256 workers makes 16,384 ids a second. */
        JS53("time(s):31, worker:8, sequence:14"),
        /** For one process at a time, which makes four million ids a millisecond. */
        STRICT("time(ms):41, sequence:22");

        private final String fields;

        Preset(String fields) {
            this.fields = fields;
        }

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final List<String> NAMES =
            Arrays.stream(Preset.values()).map(Preset::text).toList();

    /** The allowed values, for messages. */
    public static final String ALLOWED =
            "snowflake, data_centre_business, seconds, baidu, instagram, sharded, js53, strict, or fields as in"
                    + " time(ms):41, data_centre:6, business:6, sequence:10 (time first, in ms, 10ms or s; then"
                    + " data_centre, worker, business, shard, sequence in any order)";

    public static final Setting<String> SNOWFLAKE_LAYOUT = Setting.text(
                    "distributedid.snowflake.layout",
                    "How the bits of an id are divided, most significant first. It must never change once there are"
                            + " ids.",
                    ALLOWED)
            .withDefault("snowflake")
            .withWords(NAMES)
            .logged();

    public static final Setting<Instant> SNOWFLAKE_EPOCH = Setting.instant(
            "distributedid.snowflake.epoch",
            "The instant at which the time field is zero, not in the future. With the layout instagram the default is"
                    + " 2011-08-24T21:07:01.721Z. It must never change once there are ids.",
            DEFAULT_EPOCH);

    private LayoutParser() {}

    /** The layout of Snowflake ids, from {@code snowflake.layout} and {@code snowflake.epoch}. */
    public static IdLayout of(Settings settings, Instant now) {
        return of(settings, SNOWFLAKE_LAYOUT, SNOWFLAKE_EPOCH, now);
    }

    /**
     * The layout that two settings describe.
     *
     * @throws IdConfigurationException if there is no such layout, or it can't represent the time {@code now}
     */
    public static IdLayout of(
            Settings settings, Setting<String> layoutSetting, Setting<Instant> epochSetting, Instant now) {
        String text = settings.get(layoutSetting);
        Preset preset = preset(text);
        Instant epoch =
                settings.get(epochSetting.withDefault(preset == Preset.INSTAGRAM ? INSTAGRAM_EPOCH : DEFAULT_EPOCH));
        IdLayout layout;
        try {
            layout = parse(preset == null ? text : preset.fields, epoch);
        } catch (IllegalArgumentException e) {
            throw new IdConfigurationException(
                    settings.invalid(layoutSetting, text, layoutSetting.allowed())
                                    .getMessage() + ". " + e.getMessage(),
                    e);
        }
        if (epoch.isAfter(now)) {
            throw settings.invalid(
                    epochSetting,
                    epoch,
                    "an instant in the past; with this one the layout lasts until "
                            + layout.time().lastYear() + ", the clock says " + now);
        }
        if (layout.tick(now.toEpochMilli()) > layout.time().maxTick()) {
            throw new IdConfigurationException("The layout has run out of time: " + layout + ", the clock says " + now
                    + ". Choose one with more bits of time (" + layoutSetting
                    + "); a later epoch would repeat ids");
        }
        return layout;
    }

    /**
     * Parses the names and widths of the fields.
     *
     * @throws IllegalArgumentException if they break a rule; the message names it
     */
    public static IdLayout parse(String text, Instant epoch) {
        Map<IdField, Integer> widths = new LinkedHashMap<>();
        Duration unit = Duration.ofMillis(1);
        for (String part : text.split(",", -1)) {
            Matcher field = FIELD.matcher(part.strip().toLowerCase(Locale.ROOT));
            if (!field.matches()) {
                throw new IllegalArgumentException(
                        "A field of a layout must be a name, ':' and a number of bits: " + part.strip());
            }
            IdField name = named(field.group(1));
            if (field.group(2) != null) {
                if (name != IdField.TIME) {
                    throw new IllegalArgumentException("Only the time of a layout may have a unit: " + part.strip());
                }
                unit = UNITS.getOrDefault(field.group(2), unit);
            }
            if (widths.put(name, Integer.valueOf(field.group(3))) != null) {
                throw new IllegalArgumentException("A layout must have each field once: " + name.label());
            }
        }
        return new IdLayout(epoch, unit, widths);
    }

    /** Parses what {@link IdLayout#text} returned; throws {@link IllegalArgumentException} for other texts. */
    public static IdLayout parse(String text) {
        String[] parts = text.split(" from ", -1);
        if (parts.length != 2) {
            throw new IllegalArgumentException("A layout must have fields and an epoch: " + text);
        }
        try {
            return parse(parts[0], Instant.parse(parts[1]));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("A layout must have an epoch: " + text, e);
        }
    }

    private static @Nullable Preset preset(String text) {
        for (Preset preset : Preset.values()) {
            if (preset.name().equalsIgnoreCase(text)) {
                return preset;
            }
        }
        return null;
    }

    private static IdField named(String label) {
        for (IdField field : IdField.values()) {
            if (field.label().equals(label)) {
                return field;
            }
        }
        throw new IllegalArgumentException("A layout must have known fields only: " + label
                + ", allowed: time, data_centre, worker, business, shard, sequence");
    }
}

package io.distributedid.spi;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in settings: {@code 250ms}, {@code 10s}, {@code 5m}, {@code 2h}, or ISO 8601. */
final class DurationText {

    private static final Pattern SIMPLE = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|h)");

    private static final Map<String, Long> UNIT_MILLIS = Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L);

    private DurationText() {}

    /** Empty if the text is no duration. */
    static Optional<Duration> parse(String text) {
        Matcher simple = SIMPLE.matcher(text.toLowerCase(Locale.ROOT));
        if (simple.matches()) {
            long unit = Objects.requireNonNull(UNIT_MILLIS.get(simple.group(2)));
            return Optional.of(Duration.ofMillis(Math.multiplyExact(Long.parseLong(simple.group(1)), unit)));
        }
        try {
            return Optional.of(Duration.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** In its largest unit. */
    static String of(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 3_600_000 == 0 && millis > 0) {
            return millis / 3_600_000 + "h";
        }
        if (millis % 60_000 == 0 && millis > 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1_000 == 0 && millis > 0 ? millis / 1_000 + "s" : millis + "ms";
    }
}

package io.distributedid.backend.snowflake.lease;

import io.distributedid.DistributedIdSettings;
import io.distributedid.spi.Settings;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The worker numbers that a process may lease.
 *
 * @param min the lowest
 * @param max the highest
 */
public record NumberRange(long min, long max) {

    private static final Pattern FORMAT = Pattern.compile("([0-9]{1,18})\\s*-\\s*([0-9]{1,18})");

    /**
     * Reads {@link DistributedIdSettings#SNOWFLAKE_LEASE_NUMBERS}.
     *
     * @param settings of a sequence
     * @param maxWorker the largest number that fits its layout
     * @return empty if it is not set
     * @throws io.distributedid.IdConfigurationException if it is no range, or holds numbers that don't fit
     */
    public static Optional<NumberRange> of(Settings settings, long maxWorker) {
        return settings.find(LeaseSettings.NUMBERS)
                .map(text -> Optional.of(FORMAT.matcher(text))
                        .filter(Matcher::matches)
                        .map(range -> new NumberRange(Long.parseLong(range.group(1)), Long.parseLong(range.group(2))))
                        .filter(range -> range.min <= range.max && range.max <= maxWorker)
                        .orElseThrow(() -> settings.invalid(
                                LeaseSettings.NUMBERS,
                                text,
                                "the lowest and the highest number of 0 to " + maxWorker + ", as in "
                                        + Math.min(100, maxWorker) + "-" + maxWorker)));
    }

    /** As it is written. */
    @Override
    public String toString() {
        return min + "-" + max;
    }
}

package io.distributedid.backend.snowflake.lease;

import io.distributedid.spi.Settings;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The worker numbers that a process may lease, from {@code min} to {@code max}. */
public record NumberRange(long min, long max) {

    /** Of a process without a worker number. */
    public static final NumberRange NONE = new NumberRange(WorkerStore.EXCLUSIVE, WorkerStore.EXCLUSIVE);

    private static final Pattern FORMAT = Pattern.compile("([0-9]{1,18})\\s*-\\s*([0-9]{1,18})");

    /**
     * Reads {@code distributedid.snowflake.lease.numbers}; empty if not set.
     *
     * @throws io.distributedid.IdConfigurationException if it is no range, or exceeds {@code maxWorker}
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

    @Override
    public String toString() {
        return min + "-" + max;
    }
}

package io.distributedid.internal.counter;

import io.distributedid.spi.Settings;

/**
 * How far servers that divide the numbers between them may drift apart.
 *
 * @param max the largest difference between the last ids of two servers that needs no explanation
 * @param raise whether a server that lags further when it is first met is raised; else it is refused
 * @param maxSetting the setting of {@code max}, for messages
 * @param raiseSetting the setting of {@code raise}, for messages
 */
public record Distance(long max, boolean raise, String maxSetting, String raiseSetting) {

    /** Some blocks must fit in, and 2^62 ids must lie above. */
    private static final long LEAST = 1_000_000;

    private static final long MOST = 1L << 60;

    private enum Behind {
        REFUSE,
        RAISE
    }

    /**
     * Reads the settings.
     *
     * @param settings of a sequence
     * @param maxSetting name of the setting for {@code max}
     * @param raiseSetting name of the setting for {@code raise}
     * @return 10,000,000 and refuse unless they are set
     */
    public static Distance of(Settings settings, String maxSetting, String raiseSetting) {
        return new Distance(
                settings.number(maxSetting, 10_000_000, LEAST, MOST),
                settings.choice(raiseSetting, Behind.REFUSE) == Behind.RAISE,
                maxSetting,
                raiseSetting);
    }
}

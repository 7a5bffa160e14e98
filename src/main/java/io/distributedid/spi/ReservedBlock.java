package io.distributedid.spi;

import java.time.Duration;

/**
 * A block that was taken out of a reserve.
 *
 * @param block its ids belong to the taker alone
 * @param age the time since the ids were reserved, or since their time was composed; not negative
 */
public record ReservedBlock(Block block, Duration age) {

    /** @throws IllegalArgumentException if the age is negative */
    public ReservedBlock {
        if (age.isNegative()) {
            throw new IllegalArgumentException("An age must not be negative: age=" + age);
        }
    }
}

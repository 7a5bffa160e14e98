package io.distributedid.internal.block;

import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.Optional;

/**
 * How many ids a block holds and how long they are good for. Immutable.
 *
 * <p>A block is meant to last for {@value #COVER_PERCENT} % of the maximum age at the present rate, and the next one is
 * reserved when a quarter of it is used: an id is then handed out at the most 0.3 + 0.4 = 0.7 of the maximum age after
 * its reservation, and the reserve lasts 0.3 to 0.7 of it when every server is down. The size grows at the most
 * fourfold from one block to the next, so that one burst does not reserve a million ids.
 *
 * @param min least ids in a block
 * @param max most ids in a block
 * @param maxAge how long after its reservation an id may be handed out; empty for ever
 * @param timeout how long a caller waits
 */
public record BlockPolicy(long min, long max, Optional<Duration> maxAge, Duration timeout) {

    static final long COVER_PERCENT = 40;

    private static final long GROWTH = 4;

    private static final Duration DEFAULT_MAX_AGE = Duration.ofSeconds(10);

    /**
     * As the {@code block.} settings say.
     *
     * @param settings of a sequence
     * @return the policy
     * @throws io.distributedid.IdConfigurationException if one has a value that is not allowed
     */
    public static BlockPolicy of(Settings settings) {
        long max = settings.get(CoreSettings.BLOCK_MAX);
        long min = settings.get(CoreSettings.BLOCK_MIN.within(1L, max).withDefault(Math.min(16, max)));
        return new BlockPolicy(
                min, max, settings.get(CoreSettings.BLOCK_MAX_AGE), settings.get(CoreSettings.BLOCK_TIMEOUT));
    }

    /** Every id is fetched when it is asked for; nothing is reserved ahead. */
    boolean strict() {
        return max == 1;
    }

    /** The index of the id in a block of {@code count} whose hand-out starts the fetch of the next block. */
    long refillAt(long count) {
        return strict() ? Long.MAX_VALUE : count / 4;
    }

    /**
     * The size of the next block.
     *
     * @param previous size of the block just used, 0 at first
     * @param used ids taken from it
     * @param nanos in how much time
     */
    long nextSize(long previous, long used, long nanos) {
        if (previous == 0) {
            return min;
        }
        double perNano = (double) used / Math.max(1, nanos);
        double target = perNano * maxAge.orElse(DEFAULT_MAX_AGE).toNanos() * COVER_PERCENT / 100;
        double grown = Math.min(target, (double) previous * GROWTH);
        return Math.max(min, Math.min(max, (long) Math.ceil(grown)));
    }
}

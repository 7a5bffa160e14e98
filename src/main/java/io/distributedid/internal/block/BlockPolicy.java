package io.distributedid.internal.block;

import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.Optional;

/**
 * The size of blocks and the maximum age of their ids. Immutable.
 *
 * <p>A block should last for {@value #COVER_PERCENT} % of the maximum age at the present rate. The next block is
 * reserved when a quarter of the current one is used. So an id is handed out at most 0.3 + 0.4 = 0.7 of the maximum age
 * after its reservation, and the reserve lasts 0.3 to 0.7 of the maximum age when every server is down. The size grows
 * at most fourfold from one block to the next, so that one burst does not reserve a million ids.
 *
 * @param min the smallest block
 * @param max the largest block
 * @param maxAge how long after its reservation an id may be handed out; empty if without limit
 * @param timeout how long a caller waits
 */
public record BlockPolicy(long min, long max, Optional<Duration> maxAge, Duration timeout) {

    static final long COVER_PERCENT = 40;

    private static final long GROWTH = 4;

    private static final Duration DEFAULT_MAX_AGE = Duration.ofSeconds(10);

    /** The policy from the {@code block.} settings. */
    public static BlockPolicy of(Settings settings) {
        long max = settings.get(CoreSettings.BLOCK_MAX);
        long min = settings.get(CoreSettings.BLOCK_MIN.within(1L, max).withDefault(Math.min(16, max)));
        return new BlockPolicy(
                min, max, settings.get(CoreSettings.BLOCK_MAX_AGE), settings.get(CoreSettings.BLOCK_TIMEOUT));
    }

    /** Whether each call fetches its id: nothing is reserved ahead. */
    boolean strict() {
        return max == 1;
    }

    /** The index of the id in a block of {@code count} ids that starts the fetch of the next block. */
    long refillAt(long count) {
        return strict() ? Long.MAX_VALUE : count / 4;
    }

    /**
     * The size of the next block.
     *
     * @param previous the size of the last block, 0 if there is none
     * @param used how many of its ids were taken
     * @param nanos how long it was in use
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

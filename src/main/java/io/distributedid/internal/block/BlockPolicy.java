package io.distributedid.internal.block;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.Optional;

/**
 * The size of blocks and the maximum age of their ids. Immutable.
 *
 * <p>A block should last for {@value #COVER_PERCENT} % of the maximum age at the present rate. The next block is
 * reserved when a quarter of the current one is used. So an id is handed out at most 0.3 + 0.4 = 0.7 of the maximum age
 * after its reservation, and the reserve lasts 0.3 to 0.7 of the maximum age when every server is down.
 *
 * <p>The size grows at most {@value #GROWTH}-fold from one block to the next, so that one burst does not reserve a
 * million ids. A block that was used up in the time of {@value #TRIPS} fetches was too small: the next may not arrive
 * in time. After it, the size may grow {@value #FAST_GROWTH}-fold, but only to what lasts for {@value #TRIPS} fetches.
 * Example: with 10,000 ids a second and fetches of 5 ms, the first blocks have 16, 64, about 400 and 1,600 ids.
 *
 * <p>Without a maximum age, a block lasts for at least {@value #TRIPS} fetches, however slow they are.
 *
 * @param min the smallest block
 * @param max the largest block
 * @param maxAge how long after its reservation an id may be handed out; empty if without limit
 * @param timeout how long a caller waits
 */
public record BlockPolicy(long min, long max, Optional<Duration> maxAge, Duration timeout) {

    static final long COVER_PERCENT = 40;

    static final long TRIPS = 8;

    static final long GROWTH = 4;

    static final long FAST_GROWTH = 64;

    private static final Duration DEFAULT_MAX_AGE = Duration.ofSeconds(10);

    /**
     * The policy from the {@code block.} settings.
     *
     * @throws IdConfigurationException if one is not allowed, or the smallest block is larger than the largest
     */
    public static BlockPolicy of(Settings settings) {
        long max = settings.get(CoreSettings.BLOCK_MAX);
        long min = settings.get(CoreSettings.BLOCK_MIN.withDefault(Math.min(16, max)));
        if (min > max) {
            String largest = settings.writtenAs(CoreSettings.BLOCK_MAX);
            String isDefault = settings.given(CoreSettings.BLOCK_MAX).isEmpty() ? " (its default)" : "";
            throw settings.invalid(
                    CoreSettings.BLOCK_MIN,
                    min,
                    "at most " + largest + "=" + max + isDefault + ". Lower "
                            + settings.writtenAs(CoreSettings.BLOCK_MIN) + " or raise " + largest);
        }
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
     * @param lasted how long the block before it was in use until it was used up; {@link Long#MAX_VALUE} if it was not
     * @param trip the duration of a fetch, 0 if it is not known
     */
    long nextSize(long previous, long used, long nanos, long lasted, long trip) {
        if (previous == 0) {
            return min;
        }
        double trips = (double) TRIPS * trip;
        double cover = (double) maxAge.orElse(DEFAULT_MAX_AGE).toNanos() * COVER_PERCENT / 100;
        if (maxAge.isEmpty()) {
            cover = Math.max(cover, trips);
        }
        double rate = (double) used / Math.max(1, nanos);
        double size = Math.min(rate * cover, (double) previous * GROWTH);
        if (lasted < trips) {
            size = Math.max(size, Math.min(rate * Math.min(trips, cover), (double) previous * FAST_GROWTH));
        }
        return Math.max(min, Math.min(max, (long) Math.ceil(size)));
    }
}

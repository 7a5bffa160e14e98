package io.distributedid.backend.snowflake;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.backend.snowflake.lease.ClockSkew;
import io.distributedid.backend.snowflake.lease.LeaseSettings;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.internal.layout.ExistingTime;
import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Compares an id that exists with the clock, before the ids of this process can reach it: a witness of an epoch or unit
 * that was changed, and of a clock that was set back while no process ran, which needs no server.
 *
 * <p>Ids of other processes may lie ahead of this clock: by {@code max_ahead}, which they borrow, and by what the
 * clocks differ, which is {@code lease.max_clock_skew} at most between processes that lease, and
 * {@code clock_tolerance} by assumption between others. An id further ahead is refused. Up to there the generator is
 * told to begin above it, and the start waits until it can.
 */
final class ExistingIdCheck {

    private static final Logger LOG = System.getLogger(ExistingIdCheck.class.getName());

    private static final String WHAT = "existing ids";

    private static final Duration SHORT = Duration.ofSeconds(1);

    private static final long NAP_MILLIS = 10;

    /** Real time, beyond what the clock promised, after which a clock that stands still is an error. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Sequence sequence;

    private final IdLayout layout;

    private final InstantSource clock;

    private final Duration maxAhead;

    private final Duration behind;

    private final String behindSetting;

    ExistingIdCheck(Sequence sequence, IdLayout layout, InstantSource clock) {
        this.sequence = sequence;
        this.layout = layout;
        this.clock = clock;
        Settings settings = sequence.settings();
        Pace pace = Pace.of(settings);
        Duration unit = layout.time().unit();
        maxAhead = unit.multipliedBy(pace.aheadTicks(unit));
        boolean leased = layout.has(IdField.WORKER) && LeaseSettings.isLeased(settings);
        behind = leased ? ClockSkew.max(settings, layout.max(IdField.WORKER)) : pace.tolerance();
        behindSetting = leased
                ? DistributedIdSettings.SNOWFLAKE_LEASE_MAX_CLOCK_SKEW
                : DistributedIdSettings.SNOWFLAKE_CLOCK_TOLERANCE;
    }

    /**
     * What {@link #require} would do without raising.
     *
     * @param existing an id that exists; 0 if there is none
     */
    CheckResult find(long existing) {
        if (existing <= 0) {
            return existing == 0 ? CheckResult.ok(WHAT, "", "none") : CheckResult.unknown(WHAT, "", negative(existing));
        }
        ExistingTime time = new ExistingTime(sequence, existing, layout, clock.instant());
        return isNear(time, false)
                ? CheckResult.ok(WHAT, "", time + ". Ids from now on lie above it")
                : CheckResult.failed(WHAT, "", refusal(time, false));
    }

    /**
     * Lets all ids from now on lie above one that exists.
     *
     * @param existing not 0
     * @param raise whether to wait for longer before it is refused
     * @throws IdConfigurationException if it lies too far ahead of the clock
     * @throws IdUnavailableException if the wait ends without it
     */
    void require(long existing, boolean raise, SnowflakeGenerator generator, CountDownLatch stopping) {
        if (existing < 0) {
            LOG.log(Level.WARNING, negative(existing));
            return;
        }
        ExistingTime time = new ExistingTime(sequence, existing, layout, clock.instant());
        if (!isNear(time, raise)) {
            throw new IdConfigurationException(refusal(time, raise));
        }
        generator.startAbove(time.tick());
        await(time, stopping);
    }

    private boolean isNear(ExistingTime time, boolean raise) {
        return time.fits() && time.ahead().compareTo(maxAhead.plus(longestWait(raise))) <= 0;
    }

    private Duration longestWait(boolean raise) {
        Duration timeout = BlockPolicy.of(sequence.settings()).timeout();
        return raise && timeout.compareTo(behind) > 0 ? timeout : behind;
    }

    /** Returns when the generator has no reason to refuse the first id that lies above. */
    private void await(ExistingTime time, CountDownLatch stopping) {
        long target = layout.millis(time.tick() + 1) - maxAhead.toMillis();
        long wait = target - clock.millis();
        if (wait > SHORT.toMillis()) {
            LOG.log(
                    Level.WARNING,
                    "The start waits for " + wait + " ms until the clock has passed the largest id: " + time);
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait) + PATIENCE.toNanos();
        for (long left = wait; left > 0; left = target - clock.millis()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IdUnavailableException("The clock stands still: clock=" + clock.instant() + ", " + left
                        + " ms short of an id: " + time);
            }
            nap(Math.min(NAP_MILLIS, left), time, stopping);
        }
    }

    private static void nap(long millis, ExistingTime time, CountDownLatch stopping) {
        try {
            if (stopping.await(millis, TimeUnit.MILLISECONDS)) {
                throw new IdUnavailableException(
                        "The source of ids is closed, while it waited for the clock to pass an id: " + time);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while waiting for the clock to pass an id: " + time, e);
        }
    }

    private String negative(long existing) {
        return "The largest id was not made with this layout, whose ids are positive: seq=" + sequence.name() + " id="
                + existing + ", layout=" + layout + ". Ids from now on lie above it";
    }

    private String refusal(ExistingTime time, boolean raise) {
        if (!time.fits()) {
            return "An id that exists has more bits than the layout, so that no new id lies above it: " + time
                    + ", allowed: up to " + layout.time().maxId() + ". Set "
                    + DistributedIdSettings.SNOWFLAKE_LAYOUT + " as it was when the id was made. If another generator"
                    + " made it, choose a layout with more bits";
        }
        Duration wait = longestWait(raise);
        return "New ids would lie below one that exists, and ids could be given twice: " + time + ", allowed: "
                + maxAhead.plus(wait).toMillis() + " ms after the clock (" + DistributedIdSettings.SNOWFLAKE_MAX_AHEAD
                + " and " + (wait.equals(behind) ? behindSetting : DistributedIdSettings.BLOCK_TIMEOUT) + "). Either "
                + DistributedIdSettings.SNOWFLAKE_EPOCH + " or the unit of " + DistributedIdSettings.SNOWFLAKE_LAYOUT
                + " is not the one that the id was made with: set it as it was. Or the clock is behind: set it right,"
                + " and start then. "
                + (raise
                        ? time.epochAdvice(DistributedIdSettings.SNOWFLAKE_EPOCH)
                        : "If another generator made it, or a clock that was ahead, "
                                + DistributedIdSettings.EXISTING_IDS + "=raise names an epoch that fits");
    }
}

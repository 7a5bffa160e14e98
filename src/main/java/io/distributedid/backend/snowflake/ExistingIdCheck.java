package io.distributedid.backend.snowflake;

import io.distributedid.CheckResult;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.internal.layout.ExistingTime;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.LongConsumer;

/**
 * Compares an existing id with the clock before this process issues ids. Detects, without a server, a changed epoch or
 * unit, and a clock that was set back while no process ran.
 *
 * <p>Ids of other processes may lie ahead of this clock by {@code max_ahead} plus the difference of the clocks. That
 * difference is at most {@code lease.max_clock_skew} between processes that lease. Between others it is assumed to be
 * at most {@code clock_tolerance}. An id further ahead is refused. Otherwise the start waits until the clock allows an
 * id above it, and only then makes the generator start there: other callers of the generator never wait for more than
 * the next tick. A raise waits until the clock has passed the id, but not for longer than {@code block.timeout}:
 * clients of an issuing service wait that long for it.
 */
final class ExistingIdCheck {

    private static final Logger LOG = System.getLogger(ExistingIdCheck.class.getName());

    private static final String WHAT = "existing ids";

    private static final Duration SHORT = Duration.ofSeconds(1);

    private final Sequence sequence;

    private final IdLayout layout;

    private final ClockWait clock;

    private final Duration maxAhead;

    private final Duration behind;

    private final String behindSetting;

    /** Whether ids wait for the clock. Those in strict order do not. */
    private final boolean waits;

    /** @param skew how far the clocks of processes that lease may be apart, in milliseconds */
    ExistingIdCheck(Sequence sequence, IdLayout layout, ClockWait clock, long skew) {
        this.sequence = sequence;
        this.layout = layout;
        this.clock = clock;
        Settings settings = sequence.settings();
        Pace pace = Pace.of(settings, layout, skew);
        Duration unit = layout.time().unit();
        maxAhead = unit.multipliedBy(pace.aheadTicks(unit));
        waits = !LeaseSettings.isExclusive(settings);
        boolean leased = LeaseSettings.isLeased(settings, layout);
        behind = leased ? LeaseSettings.skew(settings, skew) : pace.tolerance();
        behindSetting =
                leased ? "distributedid.snowflake.lease.max_clock_skew" : "distributedid.snowflake.clock_tolerance";
    }

    /** The result that {@link #require} would have without {@code raise}. {@code existing} is 0 if there is no id. */
    CheckResult find(long existing) {
        if (existing <= 0) {
            return existing == 0 ? CheckResult.ok(WHAT, "", "none") : CheckResult.unknown(WHAT, "", negative(existing));
        }
        ExistingTime time =
                new ExistingTime(sequence, existing, layout, clock.clock().instant());
        return isNear(time, false)
                ? CheckResult.ok(WHAT, "", time + ". New ids are larger")
                : CheckResult.failed(WHAT, "", refusal(time, false));
    }

    /**
     * Waits until the clock allows an id above an existing one. Then makes the generator start there.
     *
     * @param existing not 0
     * @param raise whether to accept an id further ahead, for which the wait is longer
     * @param generator makes the generator start above all ids of a tick
     * @throws IdConfigurationException if the id lies too far ahead of the clock
     * @throws IdUnavailableException if the clock stands still, a raise would wait for too long, or the backend closes
     */
    void require(long existing, boolean raise, LongConsumer generator) {
        if (existing < 0) {
            LOG.log(Level.WARNING, negative(existing));
            return;
        }
        ExistingTime time =
                new ExistingTime(sequence, existing, layout, clock.clock().instant());
        if (!isNear(time, raise)) {
            throw new IdConfigurationException(refusal(time, raise));
        }
        if (waits) {
            await(time, raise);
        }
        generator.accept(time.tick());
    }

    private boolean isNear(ExistingTime time, boolean raise) {
        return time.fits() && time.ahead().compareTo(maxAhead.plus(longestWait(raise))) <= 0;
    }

    private Duration timeout() {
        return BlockPolicy.of(sequence.settings()).timeout();
    }

    private Duration longestWait(boolean raise) {
        Duration timeout = timeout();
        return raise && timeout.compareTo(behind) > 0 ? timeout : behind;
    }

    /**
     * Returns when the generator can issue the first id above the existing one; after a raise, when the clock has
     * passed it, so that processes that start next, and know nothing of it, issue larger ones too.
     */
    private void await(ExistingTime time, boolean raise) {
        long target = layout.millis(time.tick() + 1) - (raise ? 0 : maxAhead.toMillis());
        long wait = target - clock.clock().millis();
        if (raise && wait > timeout().toMillis()) {
            throw new IdUnavailableException("The clock passes an existing id in "
                    + wait + " ms, but a raise waits at most "
                    + timeout().toMillis() + " ms (distributedid.block.timeout): " + time
                    + ". Nothing was raised. Repeat the call in "
                    + (wait - timeout().toMillis())
                    + " ms or later. If the clock is behind, correct it");
        }
        if (wait > SHORT.toMillis()) {
            LOG.log(
                    Level.WARNING,
                    (raise ? "A raise" : "The start") + " waits for " + wait + " ms until the clock has passed an"
                            + " existing id: "
                            + time);
        }
        clock.until(target, "an id: " + time);
    }

    private String negative(long existing) {
        return "The largest id was not made with this layout, whose ids are positive: seq=" + sequence.name() + " id="
                + existing + ", layout=" + layout + ". New ids are larger";
    }

    private String refusal(ExistingTime time, boolean raise) {
        if (!time.fits()) {
            return "An existing id has more bits than the layout, so no new id can be larger: " + time
                    + ", allowed: up to " + layout.time().maxId() + ". Set "
                    + "distributedid.snowflake.layout as it was when the id was made. If another generator"
                    + " made it, choose a layout with more bits";
        }
        Duration wait = longestWait(raise);
        return "New ids would be smaller than an existing id, and ids could repeat: " + time + ", allowed: "
                + maxAhead.plus(wait).toMillis() + " ms ahead of the clock (distributedid.snowflake.max_ahead and "
                + (wait.equals(behind) ? behindSetting : "distributedid.block.timeout") + "). Either"
                + " distributedid.snowflake.epoch or the unit of distributedid.snowflake.layout has changed since the"
                + " id was made: restore it. Or the clock is behind: correct it, then start. "
                + (raise
                        ? time.epochAdvice("distributedid.snowflake.epoch")
                        : "If another generator or a clock that was ahead made the id, distributedid.existing_ids=raise"
                                + " names an epoch that fits")
                + Pages.onCall("below-existing");
    }
}

package io.distributedid.internal.registry;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.spi.Sequence;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One caller's attempts to open a sequence while servers do not answer, for example because they start together with
 * the application. The caller pauses between attempts, for {@code block.timeout} at most. That time counts from the
 * first failed attempt of any caller: a later caller makes one attempt, and none while another caller makes one.
 *
 * <p>An attempt is repeated only after a failure whose cause comes from a server or driver. A failure without a cause
 * is this library's own refusal, for example because a state file is in use. Failures that the same settings would
 * repeat are final: a wrong password, a database that does not exist. Where the server knows the user and refuses the
 * statement (a right is missing), that is an error of the configuration. A caller who waited for another's attempt
 * longer than that time gets the failure of that attempt.
 */
final class OpeningRetry {

    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    private static final long LAST_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    private final Duration timeout;

    private final long began;

    private long pause = FIRST_PAUSE_NANOS;

    /** The end of the caller's last attempt; before it, the time of the call. */
    private long lastAttempt;

    /**
     * @param called the time of the call, by {@link System#nanoTime}
     * @param last the last failed attempt of any caller; null if there is none
     */
    OpeningRetry(Sequence sequence, long called, @Nullable OpeningFailure last) {
        timeout = BlockPolicy.of(sequence.settings()).timeout();
        began = last != null && last.isOutage() && called - last.nanos() < timeout.toNanos() ? last.since() : called;
        lastAttempt = called;
    }

    /** When the first caller began to wait. */
    long began() {
        return began;
    }

    /** Whether an attempt at {@code nanos} is later than this caller's own last attempt and its call. */
    boolean isNewAttempt(long nanos) {
        return nanos - lastAttempt > 0;
    }

    boolean isOver() {
        return left() <= 0;
    }

    private long left() {
        return timeout.toNanos() - (System.nanoTime() - began);
    }

    /** The pause before the next attempt, in nanoseconds. Throws {@code failure} if it is final or the time is over. */
    long pauseAfter(IdUnavailableException failure) {
        lastAttempt = System.nanoTime();
        if (!mayRecover(failure) || isOver()) {
            throw failure;
        }
        long next = Math.min(pause, Math.max(1, left()));
        pause = Math.min(2 * pause, LAST_PAUSE_NANOS);
        return next;
    }

    /** What a failed attempt has thrown; a configuration's error if an operator must act before the next one. */
    static DistributedIdException judged(DistributedIdException failure) {
        return failure instanceof IdUnavailableException
                        && causes(failure).findAny().isPresent()
                        && causes(failure).allMatch(cause -> hasIn(cause, OpeningRetry::isPermanent))
                ? new IdConfigurationException(String.valueOf(failure.getMessage()), failure)
                : failure;
    }

    /** One of several servers is enough. */
    private static boolean mayRecover(IdUnavailableException failure) {
        return causes(failure).anyMatch(cause -> !hasIn(cause, OpeningRetry::isFinal));
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.concat(Stream.ofNullable(failure.getCause()), Stream.of(failure.getSuppressed()));
    }

    private static boolean hasIn(Throwable cause, Predicate<Throwable> is) {
        return Stream.iterate(cause, Objects::nonNull, Throwable::getCause).anyMatch(is);
    }

    private static boolean isPermanent(Throwable cause) {
        return cause instanceof SQLException failure && SqlErrors.isPermanent(failure);
    }

    private static boolean isFinal(Throwable cause) {
        return cause instanceof InterruptedException
                || cause instanceof DistributedIdException
                || isPermanent(cause)
                || (cause instanceof SQLException failure && SqlErrors.isRefusal(failure));
    }
}

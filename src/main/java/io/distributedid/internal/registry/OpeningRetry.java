package io.distributedid.internal.registry;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.spi.Sequence;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One caller's attempts to open a sequence while servers do not answer, for example because they start together with
 * the application. The caller pauses between attempts, and waits no longer than for a block ({@code block.timeout}).
 * The time counts from the first attempt that failed: a later caller makes one attempt, and none while another caller
 * makes one.
 *
 * <p>An attempt is repeated only after a failure that has a cause: what a server or driver said. A failure without a
 * cause is our own refusal, such as a state file that is in use. Nor is an attempt repeated that fails each time with
 * the same settings: a wrong password, a database that does not exist.
 */
final class OpeningRetry {

    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    private static final long LAST_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    private final Duration timeout;

    private final long began;

    private long pause = FIRST_PAUSE_NANOS;

    private long known;

    /**
     * @param asked when the caller asked for the sequence, by {@link System#nanoTime}
     * @param last how the last attempt of any caller failed
     */
    OpeningRetry(Sequence sequence, long asked, SequenceOpener.@Nullable Failure last) {
        timeout = BlockPolicy.of(sequence.settings()).timeout();
        boolean goesOn = last != null && asked - last.nanos() < timeout.toNanos();
        began = last != null && goesOn ? last.since() : asked;
        known = asked;
    }

    /** When callers began to wait. */
    long began() {
        return began;
    }

    /** Whether something happened since the caller's own last attempt, or since it asked for the sequence. */
    boolean isNews(long nanos) {
        return nanos - known > 0;
    }

    boolean isOver() {
        return left() <= 0;
    }

    private long left() {
        return timeout.toNanos() - (System.nanoTime() - began);
    }

    /**
     * How long to pause before the next attempt, in nanoseconds.
     *
     * @throws IdUnavailableException {@code failure}, if there is to be no other attempt
     */
    long pauseAfter(IdUnavailableException failure) {
        known = System.nanoTime();
        if (!mayPass(failure) || isOver()) {
            throw failure;
        }
        long next = Math.min(pause, Math.max(1, left()));
        pause = Math.min(2 * pause, LAST_PAUSE_NANOS);
        return next;
    }

    /** Of several servers one is enough. */
    private static boolean mayPass(IdUnavailableException failure) {
        return Stream.concat(Stream.ofNullable(failure.getCause()), Stream.of(failure.getSuppressed()))
                .anyMatch(OpeningRetry::mayPass);
    }

    private static boolean mayPass(Throwable said) {
        List<Throwable> chain =
                Stream.iterate(said, each -> each != null, Throwable::getCause).toList();
        return chain.stream().noneMatch(OpeningRetry::isFinal);
    }

    private static boolean isFinal(Throwable said) {
        return said instanceof InterruptedException
                || said instanceof DistributedIdException
                || (said instanceof SQLException answer && SqlErrors.isRefusal(answer));
    }
}

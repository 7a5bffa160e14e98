package io.distributedid.internal.registry;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.internal.jdbc.SqlStates;
import io.distributedid.spi.Sequence;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How long the opening of a sequence is tried again while servers do not answer, as when they start together with the application: with
 * pauses, and not longer than a caller waits for a block ({@code block.timeout}). That counts from the first of the attempts that
 * failed: who asks later makes one attempt, and none while another caller makes one.
 *
 * <p>Only a failure that has a cause is waited for: that is what a server or driver said. Without one it is our own refusal, such as a
 * state file that is in use. Nor is one waited for that the same settings will always meet: a wrong password, a database
 * that does not exist.
 */
final class OpeningWait {

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
    OpeningWait(Sequence sequence, long asked, OpenSequences.@Nullable Failure last) {
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
                .anyMatch(OpeningWait::mayPass);
    }

    private static boolean mayPass(Throwable said) {
        List<Throwable> chain =
                Stream.iterate(said, each -> each != null, Throwable::getCause).toList();
        return chain.stream().noneMatch(OpeningWait::isFinal);
    }

    private static boolean isFinal(Throwable said) {
        return said instanceof InterruptedException
                || said instanceof DistributedIdException
                || (said instanceof SQLException answer && SqlStates.isRefusal(answer));
    }
}

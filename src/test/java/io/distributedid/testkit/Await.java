package io.distributedid.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * Waits for a condition. It looks at it with pauses, so that what it waits for has the processor; it fails with what it
 * saw last.
 */
public final class Await {

    /** A machine may be busy; only what never comes waits this long. */
    public static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(1);

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(20);

    /** What one look and the pause after it use up of the patience at most: a machine can stand still for minutes. */
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(5);

    private Await() {}

    public static void until(String what, Callable<Boolean> condition) {
        until(what, condition, () -> false);
    }

    /** As above; {@code seen} is called after the last look, and says in the failure what was there instead. */
    public static void until(String what, Callable<Boolean> condition, Callable<?> seen) {
        look(FIRST_PAUSE, LONGEST_PAUSE, PATIENCE, what, condition, seen);
    }

    /** As above, with another pause between two looks and another patience. */
    public static void every(
            Duration pause, Duration patience, String what, Callable<Boolean> condition, Callable<?> seen) {
        look(pause, pause, patience, what, condition, seen);
    }

    private static void look(
            Duration firstPause,
            Duration longestPause,
            Duration patience,
            String what,
            Callable<Boolean> condition,
            Callable<?> seen) {
        long pause = firstPause.toMillis();
        long waited = 0;
        long last = System.nanoTime();
        try {
            while (!condition.call()) {
                if (waited > patience.toNanos()) {
                    throw new AssertionError(
                            "Waited " + patience.toSeconds() + " s until " + what + ". Seen last: " + seen.call());
                }
                Thread.sleep(pause);
                pause = Math.min(2 * pause, longestPause.toMillis());
                long now = System.nanoTime();
                waited += Math.min(now - last, LONGEST_LOOK.toNanos());
                last = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting until " + what, e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e + ", while waiting until " + what, e);
        }
    }
}

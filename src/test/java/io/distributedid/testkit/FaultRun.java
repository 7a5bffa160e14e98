package io.distributedid.testkit;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;

/**
 * What fault runs have in common: chance, by a seed; patience, with an end; and the history.
 *
 * @param <K> what can happen
 */
public final class FaultRun<K extends Enum<K>> {

    /** Looks whether the run is still worth going on with, and throws if not. */
    @FunctionalInterface
    public interface Check {

        void run() throws Exception;
    }

    private static final Duration PATIENCE = Duration.ofSeconds(300);

    private final Random random;

    private final Check check;

    private final Map<K, Integer> counts;

    private final StringBuilder history = new StringBuilder();

    private final long began = System.nanoTime();

    public FaultRun(Random random, Class<K> kinds, Check check) {
        this.random = random;
        this.check = check;
        counts = new EnumMap<>(kinds);
    }

    public Random random() {
        return random;
    }

    public Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    public void note(K kind, Object what) {
        counts.merge(kind, 1, Integer::sum);
        note(kind + " " + what);
    }

    public void note(String what) {
        history.append(String.format("%n%.1f s: %s", elapsed().toMillis() / 1e3, what));
    }

    /** Waits for something, and looks all the time whether the run is still worth it. */
    public void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            check.run();
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("Waited " + PATIENCE.toSeconds() + " s until " + what);
            }
            Thread.sleep(5);
        }
    }

    public void pause(int longestMillis) throws InterruptedException {
        Thread.sleep(random.nextInt(longestMillis));
    }

    /** How often what happened. */
    public Map<K, Integer> counts() {
        return counts;
    }

    /** What happened when. */
    @Override
    public String toString() {
        return history.toString();
    }
}

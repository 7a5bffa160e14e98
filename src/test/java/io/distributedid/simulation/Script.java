package io.distributedid.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A run as data: it can be played, told in words, and shortened. */
interface Script {

    /** What came of it. {@code failure} is null if all promises were kept. */
    record Outcome(World world, @Nullable AssertionError failure, long ids) {

        /**
         * Plays in a world.
         *
         * @param judge once all is over
         */
        static Outcome of(World world, Runnable play, Runnable judge, LongSupplier ids) {
            AssertionError failure = null;
            try {
                world.run(new Host(world, "run"), play);
                judge.run();
            } catch (AssertionError e) {
                failure = e;
            } catch (StackOverflowError e) {
                failure = new AssertionError(e.getMessage(), e);
            }
            return new Outcome(world, failure, ids.getAsLong());
        }
    }

    /** What a seed decides. Neighbours must not have like numbers. */
    static SplittableRandom random(long seed) {
        return new SplittableRandom(seed * 0x9E37_79B9_7F4A_7C15L);
    }

    static <P> List<P> without(List<P> parts, int part) {
        List<P> fewer = new ArrayList<>(parts);
        fewer.remove(part);
        return fewer;
    }

    static String told(long seed, Object setup, List<?> parts) {
        StringBuilder words = new StringBuilder("seed=" + seed + ": " + setup);
        parts.forEach(each -> words.append("\n    ").append(each));
        return words.toString();
    }

    /** @param isLogged whether to keep what happens in words */
    Outcome play(boolean isLogged);

    /** Things that happen, which can be left out one by one. */
    List<?> parts();

    /** The same one without a part. */
    Script without(int part);

    /** The same one without requests that go wrong. */
    Script withoutTrouble();
}

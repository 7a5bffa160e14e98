package io.distributedid.simulation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run as data: it can be played, told in words, and shortened. */
interface Script {

    /** What came of it. {@code failure} is null if all promises were kept. */
    record Outcome(World world, @Nullable AssertionError failure, long ids) {}

    /** @param isLogged whether to keep what happens in words */
    Outcome play(boolean isLogged);

    /** Things that happen, which can be left out one by one. */
    List<?> parts();

    /** The same one without a part. */
    Script without(int part);

    /** The same one without requests that go wrong. */
    Script withoutTrouble();
}

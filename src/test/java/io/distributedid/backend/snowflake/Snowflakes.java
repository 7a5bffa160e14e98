package io.distributedid.backend.snowflake;

import io.distributedid.internal.block.WaitStatistics;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.internal.process.Holdings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Generators as tests want them. */
final class Snowflakes {

    static final IdLayout LAYOUT =
            LayoutParser.parse("time:41, worker:10, sequence:12", Instant.parse("2024-01-01T00:00:00Z"));

    private Snowflakes() {}

    /** A generator with the default layout and a fixed seed, which does not wait for a clock that went back. */
    static SnowflakeGenerator generator(Worker worker, InstantSource clock) {
        SplittableRandom random = new SplittableRandom(42);
        return new SnowflakeGenerator(
                waits(), LAYOUT, worker, clock, Duration.ofMillis(100), Duration.ZERO, random::nextLong);
    }

    static WaitStatistics waits() {
        return new WaitStatistics("photos", System::nanoTime, time -> {});
    }

    /** Fixed numbers in use, as if in a JVM of their own. */
    static Supplier<Holdings> jvm() {
        Holdings own = new Holdings(new ConcurrentHashMap<>());
        return () -> own;
    }
}

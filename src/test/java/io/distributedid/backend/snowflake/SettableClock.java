package io.distributedid.backend.snowflake;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;

/** A clock that a test sets. */
final class SettableClock implements InstantSource {

    private volatile Instant now;

    private final AtomicInteger lateLooks = new AtomicInteger();

    private volatile Duration late = Duration.ZERO;

    SettableClock(Instant now) {
        this.now = now;
    }

    void move(Duration by) {
        now = now.plus(by);
    }

    /** The next looks get an older time, as of a thread that was suspended since. */
    void nextLooksAreLate(int looks, Duration by) {
        late = by;
        lateLooks.set(looks);
    }

    @Override
    public Instant instant() {
        return lateLooks.getAndUpdate(left -> Math.max(0, left - 1)) == 0 ? now : now.minus(late);
    }
}

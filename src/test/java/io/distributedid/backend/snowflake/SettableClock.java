package io.distributedid.backend.snowflake;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that a test sets. */
final class SettableClock implements InstantSource {

    private volatile Instant now;

    private final AtomicReference<Duration> late = new AtomicReference<>(Duration.ZERO);

    SettableClock(Instant now) {
        this.now = now;
    }

    void move(Duration by) {
        now = now.plus(by);
    }

    /** The next look gets an older time, as of a thread that was suspended since. */
    void nextLookIsLate(Duration by) {
        late.set(by);
    }

    @Override
    public Instant instant() {
        return now.minus(late.getAndSet(Duration.ZERO));
    }
}

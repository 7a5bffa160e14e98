package io.distributedid.backend.snowflake;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test sets. */
final class SettableClock implements InstantSource {

    private volatile Instant now;

    SettableClock(Instant now) {
        this.now = now;
    }

    void move(Duration by) {
        now = now.plus(by);
    }

    @Override
    public Instant instant() {
        return now;
    }
}

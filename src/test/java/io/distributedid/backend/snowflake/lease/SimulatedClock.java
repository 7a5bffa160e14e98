package io.distributedid.backend.snowflake.lease;

import java.time.Instant;
import java.time.InstantSource;

/** A clock in simulated time: it is off, it drifts, and it is set back and forth. */
public final class SimulatedClock implements InstantSource {

    /** What a right clock shows when the simulated time is 0. */
    public static final long BEGIN = Instant.parse("2026-11-21T12:00:00Z").toEpochMilli();

    private double drift;

    private long offsetMicros;

    private long shown = BEGIN;

    /**
     * Corrects the clock, up to an offset.
     *
     * @param partsPerMillion how much faster it runs
     * @param micros how far it is ahead of the simulated time 0
     */
    public void set(int partsPerMillion, long micros) {
        drift = partsPerMillion / 1e6;
        offsetMicros = micros;
    }

    /**
     * What it shows at a time.
     *
     * @param micros simulated
     * @return milliseconds since 1970
     */
    public long at(long micros) {
        return BEGIN + Math.floorDiv(micros + (long) (micros * drift) + offsetMicros, 1_000L);
    }

    /**
     * Shows this time until the next call.
     *
     * @param millis since 1970
     */
    public void show(long millis) {
        shown = millis;
    }

    @Override
    public long millis() {
        return shown;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(shown);
    }
}

package io.distributedid.backend.snowflake;

import io.distributedid.backend.snowflake.lease.Grant;
import io.distributedid.backend.snowflake.lease.SimulatedClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Takes ids from a real generator, and records their maker: one process with one window. */
final class SimulatedApplication {

    /** @param maker numbers the windows, however often they are renewed */
    private record Made(Grant grant, int maker) {

        boolean covers(long number, long time) {
            return number == grant.worker() && grant.covers(time);
        }
    }

    private final Simulation world;

    private final SimulatedClock clock;

    private final long startedAt;

    private boolean everMadeAnId;

    private @Nullable Made current;

    private @Nullable Made before;

    private @Nullable SettableWorker worker;

    private @Nullable SnowflakeGenerator generator;

    SimulatedApplication(Simulation world, SimulatedClock clock, long startedAt) {
        this.world = world;
        this.clock = clock;
        this.startedAt = startedAt;
    }

    /** The window changes. */
    void publish(Grant granted) {
        Made known = current;
        if (known != null && known.grant.equals(granted)) {
            return;
        }
        boolean same =
                known != null && known.grant.worker() == granted.worker() && known.grant.from() == granted.from();
        boolean prolonged = same && known.grant.until() <= granted.until();
        if (known != null && !prolonged && known.grant.until() > known.grant.from()) {
            before = known;
        }
        current = new Made(granted, same ? known.maker : world.newMaker());
        if (worker != null) {
            worker.set(window(granted));
        }
    }

    private static Worker.Window window(Grant grant) {
        return new Worker.Window(grant.worker(), grant.from(), grant.until());
    }

    /** The first id time that it may use. */
    long from() {
        return current.grant.from();
    }

    void open() {
        worker = new SettableWorker(window(current.grant));
        // Less than no tolerance: a caller that would wait, in real time, is refused.
        generator = new SnowflakeGenerator(
                Snowflakes.waits(),
                Snowflakes.LAYOUT,
                worker,
                clock,
                Duration.ofMillis(100),
                Duration.ofMillis(-1),
                world.chance()::below);
    }

    /** Whether its window lasts beyond a time. */
    boolean mayUse(long time) {
        return isOpen() && current.grant.covers(time);
    }

    boolean isOpen() {
        return generator != null;
    }

    /** Returns the first id time that no id has. */
    long close() {
        return generator.close();
    }

    void take(int count) {
        IdLedger ledger = world.ledger();
        for (int i = 0; i < count; i++) {
            long id = generator.next(0);
            ledger.add(id, maker(id));
            if (!everMadeAnId) {
                everMadeAnId = true;
                world.report().firstId(world.now() - startedAt);
            }
        }
    }

    /** Ids ahead of the clock, which the generator took from the window before, are still owned. */
    private int maker(long id) {
        long time = Snowflakes.LAYOUT.millis(id >>> IdLedger.TIME_SHIFT);
        long number = IdLedger.number(id);
        if (current.covers(number, time)) {
            return current.maker;
        }
        if (before != null && before.covers(number, time)) {
            return before.maker;
        }
        throw new AssertionError(
                id + " of number " + number + " and time " + time + " lies outside of " + current.grant);
    }
}

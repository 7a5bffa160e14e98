package io.distributedid.backend.snowflake;

import io.distributedid.IdUnavailableException;
import io.distributedid.backend.snowflake.lease.Grant;
import io.distributedid.backend.snowflake.lease.SimulatedClient;
import io.distributedid.backend.snowflake.lease.SimulatedClock;
import java.util.Optional;

/**
 * A machine that runs one process after another in simulated time. The generator and the client are the real ones.
 * Their threads are simulated here as {@code Lease} does it, whose threads sleep in real time.
 */
final class SimulatedNode {

    private static final long MILLI = Simulation.MILLI;

    private static final long SECOND = Simulation.SECOND;

    private static final long START_WAIT = 60 * SECOND;

    private static final long PATIENCE = 6 * SECOND;

    /** Callers get a failure younger than this without another attempt. */
    private static final long FRESH = 500 * MILLI;

    private final Simulation world;

    private final SimulatedChance chance;

    private final SimulatedMachine machine;

    private boolean alive;

    private long startedAt;

    private long failedAt = -FRESH;

    private boolean failed;

    private boolean stopping;

    private SimulatedConversation store;

    private SimulatedApplication application;

    SimulatedNode(Simulation world) {
        this.world = world;
        this.chance = world.chance();
        machine = new SimulatedMachine(world);
    }

    SimulatedMachine machine() {
        return machine;
    }

    boolean isAlive() {
        return alive;
    }

    boolean isStopping() {
        return stopping;
    }

    boolean isRunning() {
        return alive && !stopping && application.isOpen();
    }

    /** Whether it has a window that lasts. */
    boolean isWindowOpen() {
        return alive && application.mayUse(SimulatedClock.BEGIN + world.now() / MILLI);
    }

    void start() {
        start(world.now());
    }

    private void start(long since) {
        long wait = world.untilStartsAreAllowed();
        if (wait > 0) {
            startLater(wait, since);
            return;
        }
        machine.begin();
        alive = true;
        stopping = false;
        failed = false;
        startedAt = since;
        application = new SimulatedApplication(world, machine.clock(), since);
        store = new SimulatedConversation(world, machine, this::answered);
        store.begin();
    }

    private void startLater(long micros, long since) {
        world.after(micros, () -> {
            if (!alive) {
                start(since);
            }
        });
    }

    /** The process is killed. Messages that it has sent still arrive. */
    void crash() {
        machine.end();
        alive = false;
        stopping = false;
    }

    /** A clean stop: after the current conversation it hands back the rest of the window. */
    void stop() {
        stopping = true;
        machine.later(0, this::leave);
    }

    private void leave() {
        if (store.isGoingOn()) {
            machine.later(10 * MILLI, this::leave);
            return;
        }
        if (application.isOpen()) {
            long unused = application.close();
            if (!failed) {
                store.handBack(unused);
            }
        }
        crash();
    }

    private void answered(Optional<Exception> failure) {
        Grant granted = store.granted();
        if (granted != null) {
            application.publish(granted);
        }
        failed = failure.isPresent();
        if (failed) {
            failedAt = world.now();
            world.report().refused(failure.get().getMessage());
            if (!application.isOpen()) {
                startFailed(failure.get());
            }
        } else if (store.isDue()) {
            store.begin();
        } else if (!application.isOpen()) {
            long left = (application.from() - machine.clock().millis()) * MILLI;
            machine.later(Math.max(0, Math.min(PATIENCE, left)), this::open);
        }
    }

    private void startFailed(Exception failure) {
        if (SimulatedClient.isTaken(failure) && world.now() - startedAt <= START_WAIT) {
            machine.later(backgroundPause(), store::begin);
        } else {
            world.report().startFailed();
            crash();
            startLater(5 * SECOND + chance.below(10 * SECOND), startedAt);
        }
    }

    private void open() {
        application.open();
        machine.later(backgroundPause(), this::background);
        work();
    }

    /** What the lease's thread does. */
    private void background() {
        if (!stopping) {
            if (!store.isGoingOn() && store.isDue()) {
                store.begin();
            }
            machine.later(backgroundPause(), this::background);
        }
    }

    private long backgroundPause() {
        long even = store.windowMillis() * MILLI / 20;
        return even / 2 + chance.below(even);
    }

    /** The application persists entities. */
    private void work() {
        if (stopping) {
            return;
        }
        machine.goOn();
        long pause = chance.workPause();
        try {
            application.take(chance.idsAtOnce());
        } catch (IdUnavailableException e) {
            boolean ended = e.getMessage().startsWith("The store is away");
            world.report().refused(ended ? SimulationReport.WINDOW_ENDED : e.getMessage());
            if (ended) {
                want();
            }
            pause = SECOND / 2 + chance.below(3 * SECOND);
        }
        machine.later(pause, this::work);
    }

    /** The window has ended, so the renewal does not wait for its usual time. */
    private void want() {
        if (!store.isGoingOn() && world.now() - failedAt >= FRESH && store.isDue()) {
            store.begin();
        }
    }
}

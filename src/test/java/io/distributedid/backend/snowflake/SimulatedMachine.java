package io.distributedid.backend.snowflake;

import io.distributedid.backend.snowflake.lease.SimulatedClock;

/** A machine that runs one process after another. It has a clock, and is suspended now and then. */
final class SimulatedMachine {

    private final Simulation world;

    private final SimulatedChance chance;

    private final SimulatedClock clock = new SimulatedClock();

    /** Numbers the processes; what was planned for an earlier one does not happen. */
    private int life = -1;

    private long pausedUntil;

    SimulatedMachine(Simulation world) {
        this.world = world;
        this.chance = world.chance();
        setClockRight();
    }

    SimulatedClock clock() {
        return clock;
    }

    /** As right as clocks are. */
    void setClockRight() {
        clock.set(chance.drift(), chance.skew());
    }

    void setClock(long micros) {
        clock.set(chance.drift(), micros);
    }

    /** A process begins. */
    void begin() {
        life = world.newLife();
        pausedUntil = 0;
    }

    /** The process is gone. */
    void end() {
        life = -1;
    }

    int life() {
        return life;
    }

    /** Suspends the machine, which does not notice it. */
    void pause(long micros) {
        pausedUntil = Math.max(pausedUntil, world.now() + micros);
    }

    /** An application goes on, which may have been suspended just after it read the clock. */
    void goOn() {
        if (pausedUntil > 0 && chance.random().nextInt(3) == 0) {
            clock.show(clock.at(pausedUntil) - chance.below(120 * Simulation.SECOND) / Simulation.MILLI);
        }
        pausedUntil = 0;
    }

    /** The process does something later, if it is alive then, and once it is not suspended. */
    void later(long micros, Runnable step) {
        int planned = life;
        world.after(micros, () -> {
            if (life != planned) {
                return;
            }
            if (world.now() < pausedUntil) {
                later(pausedUntil - world.now() + chance.below(10 * Simulation.MILLI), step);
                return;
            }
            clock.show(clock.at(world.now()));
            step.run();
        });
    }
}

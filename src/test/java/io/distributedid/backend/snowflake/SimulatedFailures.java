package io.distributedid.backend.snowflake;

import java.util.List;

/** What goes wrong in a simulation, at any time from now on to an end. */
final class SimulatedFailures {

    private final Simulation world;

    private final SimulatedChance chance;

    private final long end;

    private int outagesNow;

    SimulatedFailures(Simulation world, long end) {
        this.world = world;
        this.chance = world.chance();
        this.end = end;
    }

    /** Plans failures of every kind. */
    void plan(int restarts) {
        for (int i = 0; i < restarts; i++) {
            any(this::restart);
        }
        planWithoutRestarts(restarts / 2);
        for (int i = 0; i < Math.max(1, restarts / 250); i++) {
            any(() -> outage(chance.logarithmic(Simulation.SECOND, 3 * Simulation.MINUTE)));
        }
    }

    /** Plans so many jumps of clocks, and as many pauses. */
    void planWithoutRestarts(int each) {
        for (int i = 0; i < each; i++) {
            any(this::jump);
            any(this::pause);
        }
    }

    private void any(Runnable action) {
        world.after(chance.below(end - world.now()), action);
    }

    private SimulatedNode anyOf(List<SimulatedNode> nodes) {
        return nodes.get(chance.random().nextInt(nodes.size()));
    }

    private void restart() {
        List<SimulatedNode> alive = world.nodes().stream()
                .filter(node -> node.isAlive() && !node.isStopping())
                .toList();
        if (alive.isEmpty()) {
            world.after(Simulation.SECOND, this::restart);
        } else {
            world.restart(
                    anyOf(alive),
                    chance.random().nextBoolean(),
                    chance.logarithmic(Simulation.SECOND, 5 * Simulation.MINUTE));
        }
    }

    private void jump() {
        SimulatedNode node = anyOf(world.nodes());
        node.machine().setClock(chance.jump());
        world.report().jump();
        world.after(chance.logarithmic(Simulation.SECOND, 10 * Simulation.MINUTE), node.machine()::setClockRight);
    }

    private void pause() {
        anyOf(world.nodes()).machine().pause(chance.pauseLength());
        world.report().pause();
    }

    private void outage(long micros) {
        world.report().outage();
        outagesNow++;
        world.store().setUp(false);
        world.after(micros, () -> {
            outagesNow--;
            world.store().setUp(outagesNow == 0);
        });
    }
}

package io.distributedid.backend.snowflake;

/**
 * What leases cost their store, counted in the simulation that {@link SnowflakeSimulationTest} runs: no failures,
 * windows of a minute. An operation is one statement of a table, or one call of another store. For benchmarks too.
 */
public final class LeaseLoad {

    /** All windows are renewed, at times that are spread. */
    private static final long WARM_UP = 5 * Simulation.MINUTE;

    private LeaseLoad() {}

    /**
     * Counts the operations of nodes that run on and on.
     *
     * @param nodes up to 1,024
     * @param minutes simulated
     * @return operations for each node and minute
     */
    public static double operationsPerNodeMinute(int nodes, int minutes, long seed) {
        Simulation world = new Simulation(new SimulatedChance(seed, true, Simulation.MINUTE), nodes);
        world.startAll();
        world.runFor(WARM_UP);
        return operationsPerNodeMinute(world, minutes);
    }

    static double operationsPerNodeMinute(Simulation world, int minutes) {
        long before = world.store().operations();
        world.runFor(minutes * Simulation.MINUTE);
        return (world.store().operations() - before)
                / (double) minutes
                / world.nodes().size();
    }
}

package io.distributedid.simulation;

/** Processes with the library's code for rows of keys, over a table in memory, with all that may happen to both. */
class RowSimulationTest extends SeededSimulationTest {

    RowSimulationTest() {
        super("rows", RowScenario::of, 200, 15_000, 20);
    }
}

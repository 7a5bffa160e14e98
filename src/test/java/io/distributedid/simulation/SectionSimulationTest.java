package io.distributedid.simulation;

/** Servers with the library's code for sections of keys, over a store in memory, with all that may happen to both. */
class SectionSimulationTest extends SeededSimulationTest {

    SectionSimulationTest() {
        super("sections", SectionScenario::of, 250, 15_000, 20);
    }
}

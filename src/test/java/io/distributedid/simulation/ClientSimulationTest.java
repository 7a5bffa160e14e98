package io.distributedid.simulation;

/** Clients of an issuing service with the library's code, over servers in memory, with all that may happen to both. */
class ClientSimulationTest extends SeededSimulationTest {

    ClientSimulationTest() {
        super("clients", ClientScenario::of, 50, 5_000, 10);
    }
}

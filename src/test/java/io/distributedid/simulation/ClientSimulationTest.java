package io.distributedid.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clients of an issuing service with the library's code, over servers in memory, with all that may happen to both.
 * Which runs: {@code -Dsimulation.seed=1 -Dsimulation.runs=4000}, as in {@link CounterSimulationTest}.
 */
class ClientSimulationTest {

    private static final long FEW = 100;

    private static final long MANY = 5_000;

    private static final Optional<Long> SEED = Optional.ofNullable(Long.getLong("simulation.seed"));

    private static final long RUNS = Long.getLong("simulation.runs", 0);

    private static void play(long otherFirst, long otherwise) {
        long firstSeed = SEED.orElse(otherFirst);
        Simulation simulation = new Simulation(ClientScenario::of);
        Optional<Simulation.Failure> failure =
                simulation.run(firstSeed, RUNS > 0 ? RUNS : SEED.isPresent() ? 1 : otherwise);
        System.out.println("Simulation of clients from seed " + firstSeed + ": " + simulation);
        AssertionError error = Simulation.error(failure);
        if (error != null) {
            throw error;
        }
    }

    @Test
    void keepsItsPromises() {
        play(1, FEW);
    }

    @Test
    @Tag("slow")
    @Tag("model")
    void keepsItsPromisesInManyRuns() {
        play(FEW + 1, MANY);
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        for (long seed = 1; seed <= 10; seed++) {
            ClientScenario scenario = ClientScenario.of(seed);
            Script.Outcome first = Simulation.quietly(() -> scenario.play(true));
            Script.Outcome second = Simulation.quietly(() -> scenario.play(true));
            assertThat(second.world().log())
                    .as("simulation.seed=%s", seed)
                    .isEqualTo(first.world().log());
        }
    }
}

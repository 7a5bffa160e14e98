package io.distributedid.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Processes with the library's code, over servers in memory, with all that may happen to both. Which runs:
 * {@code -Dsimulation.seed=1 -Dsimulation.runs=4000}. A failing run prints its seed, what happens in it, a shorter one
 * that fails too, and its log; {@code -Dsimulation.seed=} alone repeats it.
 */
class CounterSimulationTest {

    private static final long FEW = 4_000;

    private static final long MANY = 96_000;

    private static final Optional<Long> SEED = Optional.ofNullable(Long.getLong("simulation.seed"));

    private static final long RUNS = Long.getLong("simulation.runs", 0);

    private static void play(long firstSeed, long runs) {
        Simulation simulation = new Simulation(false);
        Optional<Simulation.Failure> failure = simulation.run(firstSeed, runs);
        System.out.println("Simulation of counters from seed " + firstSeed + ": " + simulation);
        AssertionError error = Simulation.error(failure);
        if (error != null) {
            throw error;
        }
    }

    private static long runs(long otherwise) {
        return RUNS > 0 ? RUNS : SEED.isPresent() ? 1 : otherwise;
    }

    @Test
    void keepsItsPromises() {
        play(SEED.orElse(1L), runs(FEW));
    }

    /** The same seeds each time, beyond those of the fast tests. */
    @Test
    @Tag("slow")
    @Tag("model")
    void keepsItsPromisesInManyRuns() {
        play(SEED.orElse(FEW + 1), runs(MANY));
    }

    /**
     * Seeds that nobody has tried. One run in some hundred thousand still finds a defect of today's counters, so this
     * would fail builds by chance.
     */
    @Test
    @Tag("open")
    void keepsItsPromisesInNewRuns() {
        play(SEED.orElse(System.currentTimeMillis() * 100_000), runs(10_000));
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        for (long seed = 1; seed <= 60; seed++) {
            Scenario scenario = Draft.scenario(seed, false);
            Run first = Simulation.quietly(() -> Run.of(scenario, true));
            Run second = Simulation.quietly(() -> Run.of(scenario, true));
            assertThat(second.world().log())
                    .as("simulation.seed=%s", seed)
                    .isEqualTo(first.world().log());
        }
    }
}

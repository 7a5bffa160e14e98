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

    static final long FEW = 4_000;

    static final long MANY = 86_000;

    private static final long NEW = 10_000;

    private static final Optional<Long> SEED = Optional.ofNullable(Long.getLong("simulation.seed"));

    private static final long RUNS = Long.getLong("simulation.runs", 0);

    /** @param isLedger whether counters are on a ledger; else they have records */
    static void play(boolean isLedger, long otherFirst, long otherwise) {
        long firstSeed = SEED.orElse(otherFirst);
        Simulation simulation = new Simulation(isLedger);
        Optional<Simulation.Failure> failure = simulation.run(firstSeed, runs(otherwise));
        System.out.println("Simulation of counters " + (isLedger ? "on a ledger " : "") + "from seed " + firstSeed
                + ": " + simulation);
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
        play(false, 1, FEW);
    }

    /** The same seeds each time, beyond those of the fast tests. */
    @Test
    @Tag("slow")
    @Tag("model")
    void keepsItsPromisesInManyRuns() {
        play(false, FEW + 1, MANY);
    }

    /** Other seeds in each build. */
    @Test
    @Tag("slow")
    @Tag("model")
    void keepsItsPromisesInNewRuns() {
        play(false, System.currentTimeMillis() * NEW, NEW);
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        requireSameRuns(false);
    }

    static void requireSameRuns(boolean isLedger) {
        for (long seed = 1; seed <= 60; seed++) {
            Scenario scenario = Draft.scenario(seed, isLedger);
            Run first = Simulation.quietly(() -> Run.of(scenario, true));
            Run second = Simulation.quietly(() -> Run.of(scenario, true));
            assertThat(second.world().log())
                    .as("simulation.seed=%s", seed)
                    .isEqualTo(first.world().log());
        }
    }
}

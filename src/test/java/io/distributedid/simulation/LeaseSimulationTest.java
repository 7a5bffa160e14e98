package io.distributedid.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Processes with the library's code for leases, over a store in memory, with all that may happen to both. Which runs:
 * {@code -Dsimulation.seed=1 -Dsimulation.runs=4000}, as in {@link CounterSimulationTest}.
 */
class LeaseSimulationTest {

    private static final long FEW = 2_000;

    private static final long MANY = 40_000;

    private static final Optional<Long> SEED = Optional.ofNullable(Long.getLong("simulation.seed"));

    private static final long RUNS = Long.getLong("simulation.runs", 0);

    private static void play(long otherFirst, long otherwise) {
        long firstSeed = SEED.orElse(otherFirst);
        Simulation simulation = new Simulation(LeaseDraft::scenario);
        Optional<Simulation.Failure> failure =
                simulation.run(firstSeed, RUNS > 0 ? RUNS : SEED.isPresent() ? 1 : otherwise);
        System.out.println("Simulation of leases from seed " + firstSeed + ": " + simulation);
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
        for (long seed = 1; seed <= 60; seed++) {
            LeaseScenario scenario = LeaseDraft.scenario(seed);
            Script.Outcome first = Simulation.quietly(() -> scenario.play(true));
            Script.Outcome second = Simulation.quietly(() -> scenario.play(true));
            assertThat(second.world().log())
                    .as("simulation.seed=%s", seed)
                    .isEqualTo(first.world().log());
        }
    }

    /** Its address leads to an empty store for a while: it writes nothing there, and keeps its number. */
    @Test
    void aProcessThatIsLedToAnEmptyStoreWritesNothingThere() {
        requireGood(
                200,
                seed -> plain(
                        seed,
                        false,
                        lives(0, 0, LeaseParts.End.STAYS),
                        lives(3_000, 1, LeaseParts.End.STAYS),
                        new LeaseParts.GoesAstray(2_000, -1, true, (int) (500 + seed * 20))));
    }

    @Test
    void aStandbyIsNotActiveBesideTheActiveProcessWhateverTheStoreLoses() {
        for (LeaseParts.How how : LeaseParts.How.values()) {
            requireGood(
                    60,
                    seed -> plain(
                            seed,
                            true,
                            lives(0, 0, LeaseParts.End.STAYS),
                            lives(100, 1, LeaseParts.End.STAYS),
                            new LeaseParts.Loses(2_000 + (int) (seed * 13), how, (int) (seed % 9), 2)));
        }
        requireGood(
                100,
                seed -> plain(
                        seed,
                        true,
                        lives(0, 0, LeaseParts.End.STAYS),
                        lives(100, 1, LeaseParts.End.STAYS),
                        new LeaseParts.GoesAstray(2_000, (int) (seed % 3) - 1, seed % 2 == 0, 2_500)));
    }

    @Test
    void aStandbyTakesOverInTime() {
        requireGood(
                200,
                seed -> plain(
                        seed,
                        true,
                        lives(0, 0, LeaseParts.End.STAYS),
                        lives(100, 1, LeaseParts.End.STAYS),
                        new LeaseParts.TakesOver(2_000 + (int) (seed * 7), seed % 2 == 0)));
    }

    @Test
    void aWindowOfAMinuteTakesTwoCallsAMinute() {
        LeaseParts.IsCounted counted = new LeaseParts.IsCounted(70_000, 600_000, 21);
        requireGood(
                5,
                seed -> new LeaseScenario(
                        seed,
                        new LeaseSetup(4, 60_000, 15_000, false, false, 0, 5),
                        List.of(new LeaseParts.Lives(0, 0, 1, 700_000, 0, true, LeaseParts.End.STAYS), counted)));
    }

    private static LeasePart lives(int at, int number, LeaseParts.End end) {
        return new LeaseParts.Lives(at, number, 1, 7_000, 2, true, end);
    }

    private static LeaseScenario plain(long seed, boolean isStrict, LeasePart... parts) {
        return new LeaseScenario(seed, new LeaseSetup(3, 1_500, 400, isStrict, false, 0, 3), List.of(parts));
    }

    private static void requireGood(long seeds, LongFunction<LeaseScenario> scenarios) {
        for (long seed = 1; seed <= seeds; seed++) {
            LeaseScenario scenario = scenarios.apply(seed);
            Script.Outcome run = Simulation.quietly(() -> scenario.play(false));
            assertThat(run.failure()).as("%s", scenario).isNull();
        }
    }
}

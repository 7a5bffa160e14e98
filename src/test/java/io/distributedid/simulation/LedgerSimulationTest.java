package io.distributedid.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link CounterSimulationTest}, of counters on a ledger. */
class LedgerSimulationTest {

    private static void requireGood(LongFunction<Scenario> scenarios) {
        for (long seed = 1; seed <= 200; seed++) {
            Scenario scenario = scenarios.apply(seed);
            Run run = Simulation.quietly(() -> Run.of(scenario, false));
            assertThat(run.failure()).as("%s", scenario).isNull();
        }
    }

    @Test
    void keepsItsPromises() {
        CounterSimulationTest.play(true, 1, CounterSimulationTest.FEW);
    }

    /** The same seeds each time, beyond those of the fast tests. */
    @Test
    @Tag("slow")
    @Tag("model")
    void keepsItsPromisesInManyRuns() {
        CounterSimulationTest.play(true, CounterSimulationTest.FEW + 1, CounterSimulationTest.MANY);
    }

    /** Seeds that nobody has tried. */
    @Test
    @Tag("open")
    void keepsItsPromisesInNewRuns() {
        CounterSimulationTest.play(true, System.currentTimeMillis() * 100_000, 10_000);
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        CounterSimulationTest.requireSameRuns(true);
    }

    @Test
    void aCounterThatWasSetBackWhileNoProcessRanGivesNoIdAgain() {
        requireGood(seed -> Open.counterSetBackMeanwhile(true, seed));
    }

    @Test
    void aRepairRaisesAboveReservedIdsWhateverTheOperatorNames() {
        requireGood(seed -> Open.repairedWithoutMargin(true, seed));
    }

    @Test
    void processesThatStartAtOnceFindNoLoss() {
        requireGood(seed -> Open.startsAtOnce(true, seed));
    }

    @Test
    void twoListsThatShareAServerDoNotBothGiveIds() {
        requireGood(seed -> Open.listsThatShareAServer(true, seed));
    }
}

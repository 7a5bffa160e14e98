package io.distributedid.simulation;

import static io.distributedid.simulation.SeededSimulationTest.requireGood;
import static io.distributedid.simulation.SeededSimulationTest.requireSame;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes with the library's code, over servers in memory, with all that may happen to both. Which runs:
 * {@code -Dsimulation.seed=1 -Dsimulation.runs=4000}. A failing run prints its seed, what happens in it, a shorter one
 * that fails too, and its log; {@code -Dsimulation.seed=} alone repeats it.
 */
class CounterSimulationTest {

    private static final long FEW = 2_500;

    private static final long MANY = 21_875;

    private static final long NEW = 10_000;

    private static void play(long first, long runs) {
        SeededSimulationTest.play("counters", Draft::scenario, first, runs);
    }

    @Test
    void keepsItsPromises() {
        play(1, FEW);
    }

    /** The same seeds each time, beyond those of the fast tests. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    @Tag("slow")
    @Tag("model")
    void keepsItsPromisesInManyRuns(int part) {
        play(FEW + 1 + part * MANY, MANY);
    }

    /** Seeds that nobody has tried. */
    @Test
    @Tag("slow")
    @Tag("model")
    void keepsItsPromisesInNewRuns() {
        play(System.currentTimeMillis() * 100_000, NEW);
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        requireSame(60, Draft::scenario);
    }

    /** The counter of a server that stands alone. */
    @Test
    void aCounterThatWasSetBackWhileNoProcessRanGivesNoIdAgain() {
        requireGood(
                200,
                seed -> plain(
                        seed,
                        1,
                        new Processes.Takes(0, 0, List.of(0), 1, 40, 1, 1, false, 1, true),
                        new LedgerLosses.IsSetBackUnseen(5_000, 0, 20),
                        new Processes.Takes(6_000, 1, List.of(0), 1, 40, 1, 1, false, 1, false)));
    }

    /** A process holds reserved ids of which a restored copy knows nothing. */
    @Test
    void aRepairRaisesAboveReservedIdsWhateverTheOperatorNames() {
        requireGood(200, seed -> Draft.scenario(seed, LedgerPlots::restored));
    }

    @Test
    void processesThatStartAtOnceFindNoLoss() {
        requireGood(
                200,
                seed -> plain(
                        seed,
                        2,
                        new Processes.Takes(0, 0, List.of(0, 1), 1, 6, 1, 1, false, 1, false),
                        new Processes.Takes(0, 1, List.of(0, 1), 1, 6, 1, 1, false, 1, false),
                        new Processes.Takes(0, 2, List.of(0, 1), 1, 6, 1, 1, false, 1, false)));
    }

    /** Of one length: [a, b] and [a, c]. */
    @Test
    void twoListsThatShareAServerDoNotBothGiveIds() {
        requireGood(
                200,
                seed -> plain(
                        seed,
                        3,
                        new Processes.Takes(0, 0, List.of(0, 1), 1, 40, 1, 1, false, 1, false),
                        new Processes.Takes(0, 1, List.of(0, 2), 1, 40, 1, 1, false, 1, false)));
    }

    /** The fast tests have 50 of them among their seeds. */
    @Test
    @Tag("slow")
    @Tag("model")
    void noIdLiesAboveWhatAnEndTells() {
        requireGood(300, seed -> Draft.scenario(seed, LedgerPlots::ends));
    }

    /** The entities of each place had ids of their own before. */
    @Test
    @Tag("slow")
    @Tag("model")
    void mergedCountersGiveWhatNeitherGave() {
        requireGood(300, seed -> Draft.scenario(seed, LedgerPlots::merges));
    }

    /** The command was killed when the databases of the other shard had learned of the new place. */
    @Test
    @Tag("slow")
    @Tag("model")
    void aMergeThatIsRepeatedWithoutTheOtherShardGivesNoneOfItsIds() {
        requireGood(1_000, seed -> Draft.scenario(seed, LedgerPlots::forgotten));
    }

    /** One sequence, on servers with a sequence table, without requests that go wrong. */
    private static Scenario plain(long seed, int servers, Part... parts) {
        return new Scenario(seed, Draft.plain(servers), 0, List.of(parts));
    }
}

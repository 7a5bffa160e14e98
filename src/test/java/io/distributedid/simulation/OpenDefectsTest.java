package io.distributedid.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Defects that are not mended yet, see {@link Open}: these tests fail, and so run only by their tag. */
@Tag("open")
class OpenDefectsTest {

    private static void requireGood(LongFunction<Scenario> scenarios) {
        for (long seed = 1; seed <= 200; seed++) {
            Scenario scenario = scenarios.apply(seed);
            Run run = Simulation.quietly(() -> Run.of(scenario, false));
            assertThat(run.failure()).as("%s", scenario).isNull();
        }
    }

    @Test
    void aCounterThatWasSetBackWhileNoProcessRanGivesNoIdAgain() {
        requireGood(seed -> Open.counterSetBackMeanwhile(false, seed));
    }

    @Test
    void aRepairRaisesAboveReservedIdsWhateverTheOperatorNames() {
        requireGood(seed -> Open.repairedWithoutMargin(false, seed));
    }

    @Test
    void twoListsThatShareAServerDoNotBothGiveIds() {
        requireGood(seed -> Open.listsThatShareAServer(false, seed));
    }
}

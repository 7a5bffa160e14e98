package io.distributedid.simulation;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processes with the library's code for leases, over a store in memory, with all that may happen to both. */
class LeaseSimulationTest extends SeededSimulationTest {

    LeaseSimulationTest() {
        super("leases", LeaseDraft::scenario, 1_000, 40_000, 60);
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

    /** The fast tests have hundreds of losses with a standby among their seeds. */
    @Test
    @Tag("slow")
    @Tag("model")
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
}

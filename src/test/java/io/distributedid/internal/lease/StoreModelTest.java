package io.distributedid.internal.lease;

import static io.distributedid.internal.lease.StoreScenario.BACK;
import static io.distributedid.internal.lease.StoreScenario.INIT;
import static io.distributedid.internal.lease.StoreScenario.INIT_LONGER;
import static io.distributedid.internal.lease.StoreScenario.MOVE;
import static io.distributedid.internal.lease.StoreScenario.REPAIR;
import static io.distributedid.internal.lease.StoreScenario.two;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.lease.StoreLosses.Loss;
import io.distributedid.internal.lease.StoreScenario.Begin;
import io.distributedid.testkit.Explorer;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules of a store of leases together, over every state that small worlds can reach. */
class StoreModelTest {

    private static final Set<Loss> NO = Set.of();

    @ParameterizedTest
    @EnumSource
    void nothingIsGrantedTwiceAfterALoss(Loss loss) {
        assertHolds("" + loss, two(2, Set.of(loss), 1, 0).begins(Begin.HELD), 50);
    }

    @Test
    @Tag("slow")
    void aMoveIsMadeTwiceAtOnceAndTakenBack() {
        assertHolds("move", two(1, NO, 0, 1).at(0).with(MOVE), 10);
        assertHolds("move, its target is used early", two(1, NO, 0, 0).at(1).with(MOVE), 1);
        assertHolds("moves", two(1, NO, 0, 0).at().with(MOVE, MOVE), 10);
        assertHolds("move, back", two(1, NO, 0, 0).at().with(MOVE, BACK), 10);
        assertHolds("move, repair", two(1, NO, 0, 0).at().with(MOVE, REPAIR), 10);
    }

    @Test
    void anEmptiedStoreIsBegunAgain() {
        assertHolds(
                "init", two(2, Set.of(Loss.EMPTIED), 1, 0).begins(Begin.HELD).with(INIT), 50);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NONE", "NOT_SEALED", "OPENED_ELSEWHERE"})
    void aRuleThatIsLeftOutIsMissed(StorePlanted planted) {
        assertMissed(planted);
    }

    /** A copy brings many states before a store opens. */
    @Tag("slow")
    @Tag("model")
    @Test
    void anOpeningOnAnyServerIsMissed() {
        assertMissed(StorePlanted.OPENED_ELSEWHERE);
    }

    private static void assertMissed(StorePlanted planted) {
        Explorer.Result result = new StoreModel(missed(planted), planted, 0).explore();
        System.out.println(
                planted + ", found in state " + result.states() + ":\n  " + String.join("\n  ", result.trace()));

        assertThat(result.trace())
                .as(planted + " in " + result.states() + " states")
                .isNotEmpty();
    }

    static StoreScenario missed(StorePlanted planted) {
        StoreScenario back = two(3, Set.of(Loss.ROW_BACK), 1, 0).begins(Begin.HELD);
        return switch (planted) {
            case EMPTY_FILLED -> two(1, Set.of(Loss.EMPTY_FOR_A_WHILE), 1, 0).begins(Begin.HELD);
            case TOKEN_IGNORED -> two(1, Set.of(Loss.FOREIGN_FOR_A_WHILE), 1, 0).begins(Begin.HELD);
            case COUNT_IGNORED -> two(1, Set.of(Loss.ROW_GONE), 1, 0).begins(Begin.HELD);
            case STALE_IS_LOSS -> two(1, NO, 0, 0).stale();
            case BEGUN_AT_ONCE ->
                two(1, Set.of(Loss.EMPTIED), 1, 0).begins(Begin.HELD).with(INIT);
            case SECOND_LOSS -> two(5, Set.of(Loss.ROW_BACK), 1, 0).begins(Begin.HELD_AND_LOST);
            case OPENED_ELSEWHERE -> two(5, Set.of(Loss.COPY_FOR_A_WHILE), 1, 0).begins(Begin.HELD);
            case ANY_SEAL -> two(1, NO, 0, 1).at(0, 1).begins(Begin.MOVED_BACK).with(MOVE);
            case ANY_TARGET ->
                two(1, Set.of(Loss.EMPTIED), 1, 0).begins(Begin.MOVED_BACK).with(BACK);
            default -> back;
        };
    }

    /** One request is late, or one process dies, before a store that lost something opens again. */
    @Tag("slow")
    @Tag("model")
    @ParameterizedTest
    @EnumSource
    void nothingIsGrantedTwiceWhateverIsLateOrDies(Loss loss) {
        assertHolds("late, " + loss, two(few(loss), Set.of(loss), 1, 1).begins(Begin.HELD), 500);
        assertHolds("clocks, " + loss, two(3, Set.of(loss), 1, 0).clocks(1, -1).begins(Begin.HELD), 500);
        assertHolds(
                "repair, " + loss,
                two(few(loss), Set.of(loss), 1, 0).with(REPAIR).begins(Begin.HELD),
                500);
    }

    /**
     * While a store waits after a loss, until it has opened; or before anybody has noticed the first loss, which must
     * not be told to a copy that the address leads to for a while: the other place does not learn of it. Nothing is
     * late.
     */
    @Tag("slow")
    @Tag("model")
    @ParameterizedTest
    @EnumSource
    void nothingIsGrantedTwiceAfterASecondLoss(Loss loss) {
        int ticks = loss == Loss.COPY_FOR_A_WHILE ? 3 : 5;
        assertHolds("second, " + loss, two(ticks, Set.of(loss), 1, 0).begins(Begin.HELD_AND_LOST), 500);
        assertHolds(
                "second, clocks, " + loss,
                two(ticks, Set.of(loss), 1, 0).clocks(1, -1).begins(Begin.HELD_AND_LOST),
                500);
        assertHolds(
                "second of two rows, " + loss,
                two(2, EnumSet.of(loss, Loss.ROW_GONE), 1, 0).numbers(2).begins(Begin.HELD_AND_LOST),
                0);
        if (loss != Loss.COPY_FOR_A_WHILE) {
            assertHolds(
                    "two, " + loss,
                    two(2, EnumSet.of(loss, Loss.ROW_GONE, Loss.ROW_BACK), 2, 0).begins(Begin.HELD),
                    500);
        }
    }

    /** A copy brings most states. */
    private static int few(Loss loss) {
        return loss == Loss.COPY_FOR_A_WHILE ? 2 : 3;
    }

    /**
     * A loss, and a command that runs to its end. A window becomes longer while others claim the first rights, but not
     * while an address leads to a copy: that has too many states. A move of what an address leads to for a while is
     * left out, since it moves another store.
     */
    @Tag("slow")
    @Tag("model")
    @ParameterizedTest
    @EnumSource
    void nothingIsGrantedTwiceAroundACommand(Loss loss) {
        if (loss != Loss.FOREIGN_FOR_A_WHILE && loss != Loss.COPY_FOR_A_WHILE) {
            assertHolds("move, " + loss, two(2, Set.of(loss), 1, 0).at(0, 1).with(MOVE), 500);
        }
        assertHolds(
                "init, " + loss, two(few(loss), Set.of(loss), 1, 0).with(INIT).begins(Begin.HELD), 500);
        if (loss != Loss.COPY_FOR_A_WHILE) {
            assertHolds("init longer, " + loss, two(2, Set.of(loss), 1, 0).with(INIT_LONGER), 500);
        }
    }

    /**
     * A move is cut off once while processes begin, and two commands where no process runs. While a right lasts, a
     * window that becomes longer is refused; what others do then is explored above.
     */
    @Tag("slow")
    @Tag("model")
    @Test
    void commandsAreCutOffAndRepeated() {
        assertHolds("move, late", two(2, NO, 0, 1).at(0, 1).with(MOVE), 200);
        assertHolds("moves, late", two(1, NO, 0, 1).at().with(MOVE, MOVE), 200);
        assertHolds("move, repair", two(1, NO, 0, 0).at(0, 1).with(MOVE, REPAIR), 200);
        assertHolds("move, repair, late", two(1, NO, 0, 1).at().with(MOVE, REPAIR), 200);
        assertHolds("init longer, late", two(3, NO, 0, 1).with(INIT_LONGER).begins(Begin.HELD), 200);
        assertHolds(
                "init longer, twice", two(3, NO, 0, 0).with(INIT_LONGER, INIT).begins(Begin.HELD), 200);
    }

    /**
     * Since a claim is confirmed by the header, and held rights keep a command from closing, seals are a second fence.
     */
    @Tag("slow")
    @Tag("model")
    @Test
    void withoutSealsConfirmationHolds() {
        StoreScenario move = two(3, NO, 0, 1).at(0, 1).begins(Begin.HELD).with(MOVE);

        assertThat(new StoreModel(move, StorePlanted.NOT_SEALED, 0).explore().trace())
                .isEmpty();
    }

    private static void assertHolds(String name, StoreScenario scenario, int sample) {
        Explorer.Result result = new StoreModel(scenario, StorePlanted.NONE, sample).explore();
        System.out.println(name + ": " + result.states() + " states");

        assertThat(result.trace()).as("steps to a violation, " + name).isEmpty();
    }
}

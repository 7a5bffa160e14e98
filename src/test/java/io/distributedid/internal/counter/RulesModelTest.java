package io.distributedid.internal.counter;

import static io.distributedid.internal.counter.RulesScenario.AB;
import static io.distributedid.internal.counter.RulesScenario.FOREIGN;
import static io.distributedid.internal.counter.RulesScenario.commands;
import static io.distributedid.internal.counter.RulesScenario.firstUse;
import static io.distributedid.internal.counter.RulesScenario.inUse;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.counter.RulesFaults.Fault;
import io.distributedid.testkit.Explorer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rules of {@link CounterRules} and {@link RealignRules} together, over every state that small worlds can reach.
 */
class RulesModelTest {

    private static final Set<Fault> NO = Set.of();

    private static final List<Integer> A = List.of(0);

    private static final List<Integer> B = List.of(1);

    private static final List<Integer> ABC = List.of(0, 1, 2);

    private static final List<Integer> AC = List.of(0, 2);

    private static final List<List<Integer>> MOVE = List.of(List.of(0, 1));

    private static final List<Integer> C = List.of(2);

    private static final List<List<Integer>> COPY = List.of(List.of(1, RulesScenario.NEW_SPACE));

    private static final List<List<Integer>> MERGE = List.of(List.of(0, 2, 1));

    private static final List<List<Integer>> REPAIR = List.of(List.of(0, 0));

    private static final Set<Planted> MISSED_SOON = EnumSet.of(
            Planted.MEMBERS,
            Planted.STRANGERS,
            Planted.NOTES,
            Planted.SECOND_READ,
            Planted.IDENTITY,
            Planted.MARK_LOST,
            Planted.SEAL,
            Planted.LOOK_AFTER_SEAL,
            Planted.MERGED,
            Planted.TOLD_IS_SEALED,
            Planted.MEMBERS_ARE_NAMED_ANEW);

    @Test
    @Tag("slow")
    void processesThatDisagreeOnTheListOpenOneListAtMost() {
        assertHolds("reversed", firstUse(NO, List.of(AB, List.of(1, 0))), 1);
    }

    @ParameterizedTest
    @EnumSource
    void noIdComesTwiceFromALoneServer(Fault fault) {
        assertHolds("lone " + fault, inUse(Set.of(fault), 2, 3, false, A), 1);
        assertHolds("lone tickets " + fault, inUse(Set.of(fault), FOREIGN, 6, true, A), 1);
    }

    @Test
    @Tag("slow")
    void aMoveThatIsCutOffIsFinishedWhenRepeated() {
        assertHolds("move", commands(NO, 1, false, List.of(A, B), MOVE), 4);
    }

    /** A process with the new list opens it too early, and is refused. */
    @Tag("slow")
    @Tag("model")
    @Test
    void aTargetThatAClientHasOpenedTooEarlyIsNotUsedBeforeTheMoveEnds() {
        List<List<Integer>> commands = List.of(List.of(0, 1), List.of(1, 1));
        assertHolds("early, move", commands(NO, 1, false, List.of(A, B), MOVE).opening(), 20);
        assertHolds(
                "early, move, repair",
                commands(NO, 0, false, List.of(A, B), commands).opening(),
                20);
    }

    @Test
    void whatForeignClientsDrewComesFromNoServerOfALongerList() {
        List<List<Integer>> lists = List.of(A, List.of(1, 0));
        assertHolds("foreign", commands(NO, 0, false, lists, MOVE).foreign(), 4);
        assertHolds("foreign tickets", commands(NO, 0, true, lists, MOVE).foreign(), 4);
    }

    @Tag("slow")
    @Tag("model")
    @Test
    void aServerJoinsAListWhoseNumbersHaveRoom() {
        assertHolds("room", commands(NO, 1, true, List.of(A, AB), MOVE).withRoom(), 4);
    }

    @ParameterizedTest
    @FieldSource("MISSED_SOON")
    void aRuleThatIsLeftOutIsMissed(Planted planted) {
        assertMissed(planted);
    }

    @Tag("slow")
    @Tag("model")
    @ParameterizedTest
    @MethodSource
    void anyRuleThatIsLeftOutIsMissed(Planted planted) {
        assertMissed(planted);
    }

    private static Set<Planted> anyRuleThatIsLeftOutIsMissed() {
        Set<Planted> others = EnumSet.complementOf(EnumSet.copyOf(MISSED_SOON));
        others.remove(Planted.NONE);
        return others;
    }

    @Tag("slow")
    @Tag("model")
    @ParameterizedTest
    @ValueSource(strings = {"same", "longer", "replaced"})
    void processesThatDisagreeInAnotherWayOpenOneListAtMost(String lists) {
        List<List<Integer>> all = switch (lists) {
            case "same" -> List.of(AB);
            case "longer" -> List.of(AB, ABC);
            default -> List.of(AB, AC);
        };
        assertHolds(lists, firstUse(NO, all), 20);
    }

    @Tag("slow")
    @Tag("model")
    @ParameterizedTest
    @EnumSource
    void noIdComesTwiceFromTwoServers(Fault fault) {
        assertHolds("two " + fault, inUse(Set.of(fault), 2, 3, false, AB), 20);
        assertHolds("two tickets " + fault, inUse(Set.of(fault), 2, 3, true, AB), 0);
    }

    /** Processes are late with what creates the counter. */
    @Tag("slow")
    @Tag("model")
    @ParameterizedTest
    @EnumSource(names = {"DOWN", "COUNTER_GONE", "ROW_GONE", "ROW_AND_COUNTER_GONE", "HEADER_GONE", "ALL_GONE"})
    void noIdOfANewCounterComesTwice(Fault fault) {
        assertHolds("new " + fault, inUse(Set.of(fault), 1, 2, false, AB), 20);
    }

    @Tag("slow")
    @Tag("model")
    @ParameterizedTest
    @EnumSource
    void noIdComesTwiceAroundACommand(Fault fault) {
        assertHolds("move " + fault, commands(Set.of(fault), 1, false, List.of(A, B), MOVE), 50);
        assertHolds("move of tickets " + fault, commands(Set.of(fault), 1, true, List.of(A, B), MOVE), 0);
        assertHolds("repair " + fault, commands(Set.of(fault), 0, false, List.of(AB), REPAIR), 50);
        assertHolds(
                "room " + fault,
                commands(Set.of(fault), 0, true, List.of(A, AB), MOVE).withRoom(),
                20);
        assertHolds("longer " + fault, commands(Set.of(fault), 0, false, List.of(AB, ABC), MOVE), 0);
        assertHolds("replaced " + fault, commands(Set.of(fault), 0, false, List.of(AB, AC), MOVE), 0);
    }

    /** A move may be cut off, and taken back while it goes on. */
    @Tag("slow")
    @Tag("model")
    @ParameterizedTest
    @ValueSource(strings = {"other", "longer", "shorter", "replaced", "reversed"})
    void aMoveIsTakenBack(String to) {
        List<List<Integer>> lists = switch (to) {
            case "other" -> List.of(A, B);
            case "longer" -> List.of(AB, ABC);
            case "shorter" -> List.of(AB, A);
            case "replaced" -> List.of(AB, AC);
            default -> List.of(AB, List.of(1, 0));
        };
        assertHolds(to + ", back", commands(NO, 0, false, lists, List.of(List.of(0, 1), List.of(1, 0))), 20);
        if (to.equals("longer")) {
            List<List<Integer>> back = List.of(List.of(0, 1), List.of(1, 0));
            assertHolds(
                    "room, back", commands(NO, 0, true, List.of(A, AB), back).withRoom(), 20);
        }
    }

    @Tag("slow")
    @Tag("model")
    @Test
    void aMoveThatWasTakenBackIsMadeAgain() {
        List<List<Integer>> moves = List.of(List.of(0, 1), List.of(1, 0), List.of(0, 1));
        assertHolds("other, back, other", commands(NO, 0, false, List.of(A, B), moves), 20);
    }

    /** A process goes on drawing, and the command may be cut off and repeated. */
    @Tag("slow")
    @Tag("model")
    @ParameterizedTest
    @EnumSource
    void noIdLiesAboveWhatTheEndOfAListTells(Fault fault) {
        List<List<Integer>> end = List.of(List.of(0, RulesScenario.END));
        assertHolds("end " + fault, commands(Set.of(fault), 2, false, List.of(A), end), 0);
        assertHolds("end of tickets " + fault, commands(Set.of(fault), 2, true, List.of(A), end), 0);
        assertHolds("end of two " + fault, commands(Set.of(fault), 1, false, List.of(AB), end), 0);
    }

    @Test
    void noIdLiesAboveWhatTheEndOfAListTells() {
        List<List<Integer>> end = List.of(List.of(0, RulesScenario.END));
        assertHolds("end", commands(NO, 1, false, List.of(A), end), 0);
        assertHolds("end of tickets", commands(NO, 1, true, List.of(A), end), 0);
        assertHolds("end, repair", commands(NO, 1, false, List.of(A), List.of(end.get(0), List.of(0, 0))), 0);
        assertHolds("end, move", commands(NO, 0, false, List.of(A, B), List.of(end.get(0), List.of(0, 1))), 0);
    }

    /** Of two processes, one lists the other server with a new one: it does not see what the old one notes. */
    @Tag("slow")
    @Tag("model")
    @ParameterizedTest
    @EnumSource
    void aProcessWithAnotherListOfOneLengthDoesNoHarm(Fault fault) {
        assertHolds("another list " + fault, another(fault), 0);
    }

    private static RulesScenario another(Fault fault) {
        return commands(Set.of(fault), 1, false, List.of(AB, AC), List.of());
    }

    /** A replica took its place, and gave ids. */
    @Test
    @Tag("slow")
    void aServerThatGaveIdsIsRepairedWhenItIsEmptied() {
        assertHolds("replica, emptied", emptied(Fault.REPLICA), 1);
    }

    /** The server may come back before. */
    @Tag("slow")
    @Tag("model")
    @Test
    void aServerThatCameBackIsRepairedWhenItIsEmptied() {
        assertHolds("brief replica, emptied", emptied(Fault.BRIEF_REPLICA), 1);
    }

    private static RulesScenario emptied(Fault before) {
        return commands(EnumSet.of(before, Fault.ALL_GONE), 0, false, List.of(AB), List.of())
                .with(List.of(0), 4);
    }

    /** Applications run on meanwhile, but nobody reaches the lost server. */
    @Tag("slow")
    @Tag("model")
    @ParameterizedTest
    @EnumSource(names = {"REPLACED", "HEADER_GONE", "ALL_GONE", "OLD_REPLICA"})
    void aListThatLostAServerGoesOn(Fault fault) {
        assertHolds("lost " + fault, commands(Set.of(fault), 1, false, List.of(AB), List.of(List.of(0))), 20);
        assertHolds("lone lost " + fault, commands(Set.of(fault), 1, false, List.of(A), List.of(List.of(0))), 20);
    }

    /** Applications run on, also after the command, though they should not, and it may be cut off and repeated. */
    @Tag("slow")
    @Tag("model")
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatALostPlaceGaveItDoesNotGiveAgain(boolean tickets) {
        List<List<Integer>> lost = List.of(List.of(0));
        Set<Fault> gone = Set.of(Fault.ALL_GONE);
        assertHolds("lost, lone", commands(gone, 1, tickets, List.of(A), lost).with(List.of(0, 0), 3), 0);
        assertHolds("lost", commands(gone, 0, tickets, List.of(AB), lost).with(List.of(0, 0), 3), 0);
        assertHolds("lost, repair", lostAndRepaired(tickets), 0);
        assertHolds(
                "lost, lost",
                commands(gone, 0, tickets, List.of(A), List.of(List.of(0), List.of(0)))
                        .with(List.of(0), 3),
                0);
    }

    /** One operator names the largest id in use, another one does not, at the same time or later. */
    @Test
    void whatAnOperatorNamesIsForgottenByNoOtherCommand() {
        assertHolds("lost, repair", lostAndRepaired(false), 0);
    }

    private static RulesScenario lostAndRepaired(boolean tickets) {
        List<List<Integer>> commands = List.of(List.of(0), List.of(0, 0));
        return commands(Set.of(Fault.ALL_GONE), 0, tickets, List.of(A), commands)
                .with(List.of(0), 3);
    }

    @Test
    @Tag("slow")
    void aCopyCountsForItself() {
        assertHolds("copy", commands(NO, 1, false, List.of(A, B), COPY).copied(), 20);
        assertHolds("copy with a new table", commands(NO, 1, false, List.of(A, B), COPY), 20);
    }

    /** The original goes on. The command may be cut off and repeated, or be given to the original by mistake. */
    @Tag("slow")
    @Tag("model")
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatACopyGaveItDoesNotGiveAgain(boolean tickets) {
        List<List<Integer>> lists = List.of(A, B);
        List<Integer> processes = List.of(1, 1, 0);
        assertHolds(
                "copy, two processes",
                commands(NO, 1, tickets, lists, COPY).copied().with(processes, 3),
                20);
        assertHolds(
                "copy with a new table, two processes",
                commands(NO, 1, tickets, lists, COPY).with(processes, 3),
                20);
        assertHolds(
                "copy of two",
                commands(NO, 0, tickets, List.of(AB, List.of(2, 3)), COPY).copied(),
                20);
        assertHolds(
                "copy, twice",
                commands(NO, 0, tickets, lists, List.of(COPY.get(0), COPY.get(0)))
                        .copied(),
                20);
        assertHolds(
                "original by mistake",
                commands(NO, 1, tickets, List.of(A), List.of(List.of(0, RulesScenario.NEW_SPACE)))
                        .with(List.of(0, 0), 3),
                20);
    }

    @Test
    @Tag("slow")
    void aMergedCounterGivesWhatNeitherGave() {
        assertHolds("merge", merged(), 20);
        List<List<Integer>> commands = List.of(List.of(0, 2), MERGE.get(0));
        RulesScenario scenario = commands(NO, 0, false, List.of(A, B, C), commands);
        assertHolds("move, merge", scenario.with(List.of(1, 2), 2), 0);
    }

    private static RulesScenario merged() {
        return commands(NO, 0, false, List.of(A, B, C), MERGE).with(List.of(0, 1, 2), 3);
    }

    /** Clients of all places go on, and the command may be cut off and repeated. */
    @Tag("slow")
    @Tag("model")
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMergedCounterGivesWhatNeitherGave(boolean tickets) {
        List<List<Integer>> lists = List.of(A, B, C);
        List<Integer> processes = List.of(0, 1, 2);
        assertHolds("merge, cut off", commands(NO, 1, tickets, lists, MERGE).with(processes, 4), 20);
        assertHolds(
                "merge with the first",
                commands(NO, 1, tickets, List.of(A, B), List.of(List.of(0, 0, 1)))
                        .with(List.of(0, 1), 4),
                20);
        assertHolds(
                "move, merge",
                commands(NO, 0, tickets, lists, List.of(List.of(0, 2), MERGE.get(0)))
                        .with(processes, 3),
                0);
        assertHolds(
                "merge, repair",
                commands(NO, 0, tickets, lists, List.of(MERGE.get(0), List.of(1, 1)))
                        .with(processes, 3),
                0);
        if (!tickets) {
            // Of tickets, each command draws a number each time that the other one was faster: that has no end.
            assertHolds(
                    "merge, twice",
                    commands(NO, 0, false, lists, List.of(MERGE.get(0), MERGE.get(0)))
                            .with(processes, 3),
                    0);
        }
    }

    @Tag("slow")
    @Tag("model")
    @Test
    void ofTwoCommandsAtOnceOneWins() {
        assertHolds("move, repair", commands(NO, 0, false, List.of(A, B), List.of(List.of(0, 1), List.of(1, 1))), 20);
        assertHolds("two repairs", commands(NO, 0, false, List.of(AB), List.of(List.of(0, 0), List.of(0, 0))), 20);
        assertHolds(
                "two moves",
                commands(NO, 0, false, List.of(A, B, List.of(2)), List.of(List.of(0, 1), List.of(0, 2))),
                0);
    }

    /** A small world in which the rule is needed. */
    private static RulesScenario world(Planted planted) {
        return switch (planted) {
            case NONE -> throw new IllegalArgumentException();
            case MEMBERS -> firstUse(NO, List.of(AB, AC));
            case STRANGERS -> another(Fault.ROW_AND_COUNTER_GONE);
            case ALL_ANSWER -> firstUse(Set.of(Fault.DOWN), List.of(AB, List.of(2, 1)));
            case FIRST_OPENS_LAST -> firstUse(NO, List.of(AB));
            case EVERY_HEADER_NAMES_MEMBERS ->
                commands(Set.of(Fault.HEADER_GONE), 0, false, List.of(AB, List.of(2, 1)), List.of(List.of(1, 1)));
            case NOTES -> inUse(Set.of(Fault.ALL_BACK), 2, 3, false, AB);
            case SECOND_READ -> inUse(NO, 2, 3, false, AB);
            case FIRST_SPEAKS -> inUse(NO, 1, 3, false, AB);
            case IDENTITY -> inUse(Set.of(Fault.OLD_REPLICA), 2, 3, false, A);
            case BROKEN_CONNECTION_ENDS_LOOK -> inUse(Set.of(Fault.OLD_REPLICA), 2, 3, false, AB);
            case MARK_LOST -> inUse(Set.of(Fault.COUNTER_BACK), FOREIGN, 6, true, A);
            case VERSION_SKIPS -> inUse(Set.of(Fault.ALL_BACK), 2, 4, false, AB);
            case VERSION_IN_DRAW -> commands(NO, 0, false, List.of(AB, ABC), MOVE);
            case SEAL, LOOK_AFTER_SEAL -> commands(NO, 1, false, List.of(A, B), MOVE);
            case GREATEST -> commands(Set.of(Fault.COUNTER_BACK), 0, false, List.of(A, B), MOVE);
            case LOST_IS_SEALED -> commands(Set.of(Fault.ROW_AND_COUNTER_GONE), 1, false, List.of(AB), REPAIR);
            case POSITION_IS_DRAWN -> commands(Set.of(Fault.ROW_BACK), 0, true, List.of(A, B), MOVE);
            case TARGET ->
                commands(NO, 0, false, List.of(A, B, List.of(2)), List.of(List.of(0, 1), List.of(0, 2)))
                        .lone();
            case MADE -> commands(NO, 0, false, List.of(A, B), List.of(List.of(0, 1), List.of(1, 1)));
            case MOVED_BEFORE_OPEN -> commands(Set.of(Fault.ALL_GONE), 2, false, List.of(A, B), MOVE);
            case PLACE -> commands(Set.of(Fault.FOREIGN_SERVER), 0, false, List.of(A, B), MOVE);
            case MERGED -> merged();
            case TOLD_IS_SEALED -> lostAndRepaired(false);
            case MEMBERS_ARE_NAMED_ANEW -> emptied(Fault.REPLICA);
        };
    }

    private static void assertMissed(Planted planted) {
        int sample = planted == Planted.MEMBERS_ARE_NAMED_ANEW ? 1 : 0;
        Explorer.Result result = new RulesModel(world(planted), planted, sample).explore();
        System.out.println(
                planted + ", found in state " + result.states() + ":\n  " + String.join("\n  ", result.trace()));

        assertThat(result.trace()).isNotEmpty();
    }

    /** @param sample of how many states one is asked whether ids come for ever; 0 if none is */
    private static void assertHolds(String name, RulesScenario scenario, int sample) {
        Explorer.Result result = new RulesModel(scenario, Planted.NONE, sample).explore();
        System.out.println(name + ": " + result.states() + " states");

        assertThat(result.trace()).as("steps to a violation").isEmpty();
    }
}

package io.distributedid.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.lease.WindowModel.Fault;
import io.distributedid.testkit.Explorer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The promises of {@link LeaseProtocol} for worker numbers, checked over every state that a small world can reach. */
@Tag("slow")
@Tag("model")
class WindowModelTest {

    @ParameterizedTest(name = "{0} processes, {1} numbers, {2} times, window {3}")
    @CsvSource({"2, 1, 3, 2, 42000", "2, 1, 4, 2, 296000", "3, 1, 2, 1, 151000", "2, 2, 2, 1, 1715000"})
    void noTickOfANumberIsEverOwnedTwice(int processes, int numbers, int times, int window, int states) {
        assertHolds(model(processes, numbers, times, window, Fault.NONE), states);
    }

    /** The promise for a virtual machine that is copied while it runs. */
    @Test
    void aCopiedProcessRepeatsNothingButTheWindowItHadOrAskedForWhenItWasCopied() {
        assertHolds(model(2, 1, 2, 1, Fault.MEMORY_IS_COPIED_BUT_EXCUSED), 177_000);
    }

    /** A request that was on its way when the process was copied may still be done. */
    @ParameterizedTest
    @CsvSource({"COPIES_BEGIN_ANEW, 83000", "ONE_COPY_BEGINS_ANEW, 112000"})
    void copiesOfWhichAllButOneBeginAnewRepeatNothing(Fault copied, int states) {
        assertHolds(model(2, 1, 3, 2, copied), states);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"NONE", "MEMORY_IS_COPIED_BUT_EXCUSED", "COPIES_BEGIN_ANEW", "ONE_COPY_BEGINS_ANEW"},
            mode = EnumSource.Mode.EXCLUDE)
    void theCheckFindsWhatGoesWrongWhenSomethingIsTakenOut(Fault fault) {
        Explorer.Result result = model(2, 1, 3, 1, fault).explore();
        System.out.println(
                fault + ", found in state " + result.states() + ":\n  " + String.join("\n  ", result.trace()));

        assertThat(result.trace()).isNotEmpty().last().asString().contains("was granted to");
    }

    @Test
    void withoutTheComparisonTwoWhoReadTheSameRowBothOwnTheWindow() {
        assertThat(model(2, 1, 3, 2, Fault.NO_COMPARISON).explore().trace())
                .hasSize(7)
                .satisfiesExactly(
                        step -> assertThat(step).startsWith("A reads the store at 0, and claims"),
                        step -> assertThat(step).startsWith("B reads the store at 0, and claims"),
                        step -> assertThat(step).startsWith("The store does"),
                        step -> assertThat(step).startsWith("A hears that it was done, and owns"),
                        step -> assertThat(step).startsWith("The store does"),
                        step -> assertThat(step).startsWith("B hears that it was done, and owns"),
                        step -> assertThat(step).endsWith("of number 0 was granted to A before"));
    }

    private static WindowModel model(int processes, int numbers, int times, int window, Fault fault) {
        return new WindowModel(numbers, window, processes, times, fault);
    }

    private static void assertHolds(WindowModel model, int states) {
        Explorer.Result result = model.explore();
        System.out.println(model + ": " + result.states() + " states");

        assertThat(result.trace()).as("steps to a violation").isEmpty();
        assertThat(result.states()).isGreaterThan(states);
    }
}

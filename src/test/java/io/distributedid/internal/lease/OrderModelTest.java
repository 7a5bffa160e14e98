package io.distributedid.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.lease.OrderModel.Fault;
import io.distributedid.testkit.Explorer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The promise of order of {@link LeaseProtocol}, checked over every state that a small world can reach. */
@Tag("slow")
@Tag("model")
class OrderModelTest {

    private static final long SLOW = OrderModel.STEP * 99 / 100;

    private static final long FAST = OrderModel.STEP * 101 / 100;

    @Test
    void everyAnswerIsLargerThanAllThatArrivedBeforeItsCallBegan() {
        Explorer.Result result = new OrderModel(3, SLOW, FAST, Fault.NONE).explore();
        System.out.println("order: " + result.states() + " states");

        assertThat(result.trace()).as("steps to a violation").isEmpty();
        assertThat(result.states()).isGreaterThan(248_000);
    }

    @ParameterizedTest
    @EnumSource(value = Fault.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void withoutARuleAViolationIsFound(Fault fault) {
        Explorer.Result result = new OrderModel(3, SLOW, FAST, fault).explore();
        System.out.println(
                fault + ", found in state " + result.states() + ":\n  " + String.join("\n  ", result.trace()));

        assertThat(result.trace()).isNotEmpty().last().asString().contains("was answered before");
    }

    @Test
    void ifRatesDifferByMoreThanTheMarginAViolationIsFound() {
        Explorer.Result result = new OrderModel(2, SLOW - 1, FAST, Fault.NONE).explore();

        assertThat(result.trace()).isNotEmpty().last().asString().contains("was answered before the call began");
    }
}

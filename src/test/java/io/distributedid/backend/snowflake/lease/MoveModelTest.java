package io.distributedid.backend.snowflake.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.backend.snowflake.lease.MoveModel.Fault;
import io.distributedid.testkit.Explorer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
@Tag("model")
class MoveModelTest {

    @Test
    void noTickHasTwoOwnersInAnyOrderOfWhatHappens() {
        Explorer.Result result = new MoveModel(4, Fault.NONE).explore();
        System.out.println("move: " + result.states() + " states");

        assertThat(result.trace()).as("steps to a violation").isEmpty();
        assertThat(result.states()).isGreaterThan(10_000);
    }

    @ParameterizedTest
    @EnumSource(value = Fault.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void withoutARuleAViolationIsFound(Fault fault) {
        Explorer.Result result = new MoveModel(4, fault).explore();
        System.out.println(fault + ":\n  " + String.join("\n  ", result.trace()));

        assertThat(result.trace()).isNotEmpty().last().asString().startsWith("Tick ");
    }
}

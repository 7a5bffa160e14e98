package io.distributedid.backend.snowflake.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.backend.snowflake.lease.ChainModel.Fault;
import io.distributedid.testkit.Explorer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
@Tag("model")
class FileChainModelTest {

    @ParameterizedTest
    @CsvSource({"2, 4", "3, 4"})
    void whateverProcessesDoWithoutALockOneFileFollowsAnother(int processes, int turns) {
        Explorer.Result result = new ChainModel(processes, turns, Fault.NONE).explore();

        System.out.println("chain model: processes=" + processes + " turns=" + turns + " states=" + result.states());
        assertThat(result.trace()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void withoutOneRuleTwoTakeThePlaceOfOneOrItIsLost(Fault fault) {
        Explorer.Result result = new ChainModel(
                        fault == Fault.RENAMED_BY_NUMBER ? 3 : 2, fault == Fault.NOT_LOOKED_TWICE ? 5 : 4, fault)
                .explore();

        System.out.println("chain model: " + fault + ": " + String.join("; ", result.trace()));
        assertThat(result.trace()).isNotEmpty();
    }
}

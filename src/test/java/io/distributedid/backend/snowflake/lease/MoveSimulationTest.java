package io.distributedid.backend.snowflake.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.backend.snowflake.lease.MoveSimulation.Fault;
import io.distributedid.backend.snowflake.lease.MoveSimulation.Kind;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
@Tag("model")
class MoveSimulationTest {

    private static final int RUNS = 200;

    @Test
    void noNumberHasTwoOwnersWhileNumbersMove() throws InterruptedException {
        Map<Kind, Integer> grants = new EnumMap<>(Kind.class);
        for (long seed = 0; seed < RUNS; seed++) {
            MoveSimulation simulation = new MoveSimulation(seed, Fault.NONE);
            assertThat(simulation.run()).as("seed=" + seed).isNull();
            simulation.grants().forEach((kind, count) -> grants.merge(kind, count, Integer::sum));
        }
        assertThat(grants).containsOnlyKeys(Kind.OLD, Kind.BOTH, Kind.NEW, Kind.SINGLE_USE);
        assertThat(grants.remove(Kind.SINGLE_USE)).isGreaterThan(RUNS / 2);
        assertThat(grants.values()).allMatch(count -> count > RUNS * 10);
    }

    @ParameterizedTest
    @EnumSource(value = Fault.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void withoutARuleOneIsFound(Fault fault) throws InterruptedException {
        String violation = null;
        for (long seed = 0; seed < RUNS && violation == null; seed++) {
            violation = new MoveSimulation(seed, fault).run();
        }
        assertThat(violation).startsWith("Number ");
    }
}

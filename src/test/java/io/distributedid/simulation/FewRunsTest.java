package io.distributedid.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** So few runs that a change of the code can be tried with them: see profile {@code mutation}. */
@Tag("slow")
class FewRunsTest {

    private static final long RUNS = 200;

    @Test
    void keepTheirPromises() {
        assertThat(new Simulation(Draft::scenario).run(1, RUNS)).isEmpty();
    }
}

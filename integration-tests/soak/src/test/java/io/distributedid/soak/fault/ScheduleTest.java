package io.distributedid.soak.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScheduleTest {

    private static final Set<Fault> KINDS =
            EnumSet.of(Fault.SERVER_KILLED, Fault.LINK_CUT, Fault.DISK_FULL, Fault.LINK_SLOW);

    private static List<Step> steps(long seed, int count) {
        return Stream.generate(new Schedule(seed, KINDS)::next).limit(count).toList();
    }

    @Test
    void theSeedDecidesAll() {
        assertThat(steps(42, 100)).isEqualTo(steps(42, 100));
        assertThat(steps(42, 100)).isNotEqualTo(steps(43, 100));
        assertThat(steps(42, 1).get(0).random().nextLong())
                .isEqualTo(steps(42, 1).get(0).random().nextLong());
    }

    @Test
    void allKindsComeBeforeOneComesAgain() {
        List<Step> steps = steps(42, 40);

        for (int from = 0; from < steps.size(); from += KINDS.size()) {
            assertThat(steps.subList(from, from + KINDS.size()).stream()
                            .map(Step::fault)
                            .collect(Collectors.toSet()))
                    .isEqualTo(KINDS);
        }
    }

    @Test
    void aScheduleOfNothingIsRefused() {
        assertThatThrownBy(() -> new Schedule(1, Set.of())).hasMessage("A schedule needs a kind of fault");
    }
}

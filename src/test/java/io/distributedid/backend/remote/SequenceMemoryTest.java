package io.distributedid.backend.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Block;
import io.distributedid.testkit.Together;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SequenceMemoryTest {

    private final SequenceMemory memory = new SequenceMemory("photos");

    private void keep(SequenceMemory.Existing call) {
        memory.end(call, true);
    }

    @Test
    void theLargestOfEachCounterIsKnown() {
        keep(memory.add(List.of(5L, 9L, 4L, 8L), 2));
        memory.add(List.of(7L, 10L), 2);

        assertThat(memory.existing()).containsExactly(9L, 10L);
    }

    @Test
    void noIdsOfCallsAtTheSameTimeAreLost() throws Exception {
        Together.run(2, thread -> {
            long own = 5_000 + thread;
            for (int i = 0; i < 100_000; i++) {
                SequenceMemory.Existing note = memory.add(List.of(own), 2);
                assertThat(memory.existing().contains(own)).as("call %s", i).isTrue();
                memory.end(note, false);
            }
            return null;
        });

        assertThat(memory.existing()).isEmpty();
    }

    @Test
    void aCallForgetsOnlyItsOwn() {
        SequenceMemory.Existing first = memory.add(List.of(5_000L), 1);
        SequenceMemory.Existing second = memory.add(List.of(7_000L), 1);
        SequenceMemory.Existing third = memory.add(List.of(5_000L), 1);

        memory.end(first, false);
        assertThat(memory.existing()).containsExactly(7_000L);
        memory.end(second, false);
        assertThat(memory.existing()).containsExactly(5_000L);
        keep(third);
        memory.end(first, false);
        keep(second);
        assertThat(memory.existing()).containsExactly(5_000L);
    }

    @Test
    void idsOfAnotherStepHideNone() {
        keep(memory.add(List.of(500L), 2));
        keep(memory.add(List.of(402L), 3));

        assertThat(memory.existing()).containsExactly(402L, 500L);
    }

    @ParameterizedTest
    @CsvSource({
        "1001, 2, 10, false",
        "1000, 2, 10, true",
        "1018, 2, 1, true",
        "1020, 2, 10, false",
        "990, 2, 5, false",
        "990, 2, 6, true",
        "1004, 1, 1, true",
        "1005, 1, 1, false"
    })
    void aBlockWithIdsOfAnEarlierOneIsRefused(long first, long step, long count, boolean refused) {
        memory.requireNew(new Block(1000, 2, 10), "http://a:1");
        Block next = new Block(first, step, count);

        if (refused) {
            assertThatThrownBy(() -> memory.requireNew(next, "http://b:1"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("An issuing service gave ids that it had given before: seq=photos,"
                            + " http://b:1 gave " + next + ", http://a:1 had given " + new Block(1000, 2, 10));
        } else {
            assertThatCode(() -> memory.requireNew(next, "http://b:1")).doesNotThrowAnyException();
        }
    }

    @Test
    void onlyTheLastBlocksAreKept() {
        for (int i = 0; i <= SequenceMemory.BLOCKS_KEPT; i++) {
            memory.requireNew(new Block(1 + i * 10L, 1, 10), "http://a:1");
        }

        memory.requireNew(new Block(1, 1, 1), "http://a:1");
        assertThatThrownBy(() -> memory.requireNew(new Block(31, 1, 1), "http://a:1"))
                .isInstanceOf(IdConfigurationException.class);
    }
}

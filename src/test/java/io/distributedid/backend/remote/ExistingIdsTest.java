package io.distributedid.backend.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Together;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExistingIdsTest {

    private final ExistingIds ids = new ExistingIds();

    @Test
    void theLargestOfEachCounterIsKnown() {
        ids.add(List.of(5L, 9L, 4L, 8L), 2).keep();
        ids.add(List.of(7L, 10L), 2);

        assertThat(ids.all()).containsExactly(9L, 10L);
    }

    @Test
    void noIdsOfCallsAtTheSameTimeAreLost() throws Exception {
        Together.run(2, thread -> {
            long own = 5_000 + thread;
            for (int i = 0; i < 100_000; i++) {
                ExistingIds.Note note = ids.add(List.of(own), 2);
                assertThat(ids.all().contains(own)).as("call %s", i).isTrue();
                note.forget();
            }
            return null;
        });

        assertThat(ids.all()).isEmpty();
    }

    @Test
    void aCallForgetsOnlyItsOwn() {
        ExistingIds.Note first = ids.add(List.of(5_000L), 1);
        ExistingIds.Note second = ids.add(List.of(7_000L), 1);
        ExistingIds.Note third = ids.add(List.of(5_000L), 1);

        first.forget();
        assertThat(ids.all()).containsExactly(7_000L);
        second.forget();
        assertThat(ids.all()).containsExactly(5_000L);
        third.keep();
        first.forget();
        second.keep();
        assertThat(ids.all()).containsExactly(5_000L);
    }

    @Test
    void idsOfAnotherStepHideNone() {
        ids.add(List.of(500L), 2).keep();
        ids.add(List.of(402L), 3).keep();

        assertThat(ids.all()).containsExactly(402L, 500L);
    }
}

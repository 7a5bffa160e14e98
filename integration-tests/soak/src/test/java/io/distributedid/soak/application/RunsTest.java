package io.distributedid.soak.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.soak.ledger.Entry;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RunsTest {

    private static List<Entry> runs(int counters, long... ids) {
        return Runs.of(ids, counters, 1, 2, 3);
    }

    @Test
    void aBatchOfOneBlockIsOneEntry() {
        assertThat(runs(2, 5, 7, 9, 11)).containsExactly(new Entry(1, 2, 5, 2, 4, 3));
    }

    @Test
    void aBatchOfSeveralBlocksIsSeveralEntriesWithTheSameIds() {
        long[] ids = {5, 7, 9, 4, 6, 8, 1_000, 3};

        List<Entry> runs = runs(2, ids);

        assertThat(runs.stream().flatMapToLong(RunsTest::ids).toArray()).isEqualTo(ids);
        assertThat(runs).allMatch(run -> run.step() % 2 == 0).hasSize(4);
    }

    @Test
    void idsOfTwoCountersAreNeverInOneEntry() {
        assertThat(runs(2, 5, 6, 7)).hasSize(3);
        assertThat(runs(1, 5, 6, 7)).hasSize(1);
    }

    private static LongStream ids(Entry entry) {
        return Stream.iterate(entry.first(), id -> id + entry.step())
                .limit(entry.count())
                .mapToLong(Long::longValue);
    }
}

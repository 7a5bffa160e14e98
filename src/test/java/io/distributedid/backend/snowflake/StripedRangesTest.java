package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Together;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StripedRangesTest {

    private static final long MILLIS = 1_000;

    @Test
    void aRunGivesItsIdsInOrder() {
        StripedRanges.Run run = new StripedRanges.Run(5, 8, 4, MILLIS, 0);

        assertThat(run.take(0, 100)).isEqualTo(5);
        assertThat(run.take(0, 100)).isEqualTo(6);
        assertThat(run.take(0, 100)).isEqualTo(7);
        assertThat(run.take(0, 100)).isEqualTo(-1);
    }

    @Test
    void aRestThatTheClockHasPassedOrNotYetReachedIsNotGiven() {
        StripedRanges.Run run = new StripedRanges.Run(5, 8, 4, MILLIS, 0);

        assertThat(run.take(6, 100)).isEqualTo(-1);
        assertThat(run.take(0, 4)).isEqualTo(-1);
        assertThat(run.take(5, 5)).isEqualTo(5);
    }

    @Test
    void runsGrowForThoseWhoUseThemUpWithinAMillisecond() {
        StripedRanges runs = new StripedRanges(1 << 18);
        int slot = runs.slot();
        List<Integer> lengths = new ArrayList<>();
        for (long end = 1; end < 12; end++) {
            int length = runs.length(slot, MILLIS);
            lengths.add(length);
            runs.put(slot, new StripedRanges.Run(end, end, length, MILLIS, 0));
        }

        assertThat(lengths).containsExactly(1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256);
        assertThat(runs.length(slot, MILLIS + 1)).isEqualTo(1);
    }

    @Test
    void runsAreASmallPartOfATick() {
        StripedRanges runs = new StripedRanges(1 << 7);
        runs.put(runs.slot(), new StripedRanges.Run(1, 1, 2, MILLIS, 0));

        assertThat(runs.length(runs.slot(), MILLIS)).isEqualTo(2);
    }

    @Test
    void aLowerRunDoesNotReplaceAHigherOne() {
        StripedRanges runs = new StripedRanges(1 << 18);
        int slot = runs.slot();
        StripedRanges.Run higher = new StripedRanges.Run(50, 60, 10, MILLIS, 0);
        runs.put(slot, higher);
        runs.put(slot, new StripedRanges.Run(40, 50, 10, MILLIS, 0));

        assertThat(runs.get(slot)).isSameAs(higher);
    }

    @Test
    void threadsThatShareARunGetEachIdOnce() throws Exception {
        int threads = 3;
        int runs = 3_000;
        int length = 40;
        List<StripedRanges.Run> shared = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            shared.add(new StripedRanges.Run((long) i * length, (long) (i + 1) * length, length, MILLIS, 0));
        }
        List<long[]> taken = Together.run(
                threads,
                thread -> shared.stream().flatMapToLong(StripedRangesTest::all).toArray());

        assertThat(taken.stream().flatMapToLong(LongStream::of).sorted().toArray())
                .isEqualTo(LongStream.range(0, (long) runs * length).toArray());
    }

    @Test
    void idsAreCountedWhenARunIsReplacedAndSeenBefore() {
        StripedRanges runs = new StripedRanges(1 << 18);
        int slot = runs.slot();
        assertThat(runs.issued()).isZero();
        StripedRanges.Run first = new StripedRanges.Run(5, 8, 4, MILLIS, 0);
        runs.put(slot, first);
        assertThat(runs.issued()).isEqualTo(1);
        first.take(0, 100);
        first.take(0, 100);
        assertThat(runs.issued()).isEqualTo(3);

        runs.put(slot, new StripedRanges.Run(9, 20, 8, MILLIS, 0));
        assertThat(runs.issued()).isEqualTo(4);
        assertThat(first.take(0, 100)).isEqualTo(-1);
        runs.put(slot, new StripedRanges.Run(6, 7, 2, MILLIS, 0));
        assertThat(runs.issued()).isEqualTo(5);
    }

    @Test
    void anIdThatWasTakenInVainDoesNotCount() {
        StripedRanges runs = new StripedRanges(1 << 18);
        int slot = runs.slot();
        StripedRanges.Run run = new StripedRanges.Run(5, 8, 4, MILLIS, 0);
        runs.put(slot, run);
        run.take(0, 100);
        runs.spoil(slot);
        runs.put(slot, new StripedRanges.Run(9, 10, 1, MILLIS, 0));

        assertThat(runs.issued()).isEqualTo(2);
    }

    private static LongStream all(StripedRanges.Run run) {
        return LongStream.generate(() -> run.take(0, Long.MAX_VALUE)).takeWhile(id -> id >= 0);
    }
}

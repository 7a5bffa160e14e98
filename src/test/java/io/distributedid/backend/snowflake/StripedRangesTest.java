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
        StripedRanges.Range range = new StripedRanges.Range(5, 8, 4, MILLIS, 0);

        assertThat(range.take(0, 100)).isEqualTo(5);
        assertThat(range.take(0, 100)).isEqualTo(6);
        assertThat(range.take(0, 100)).isEqualTo(7);
        assertThat(range.take(0, 100)).isEqualTo(-1);
    }

    @Test
    void aRestThatTheClockHasPassedOrNotYetReachedIsNotGiven() {
        StripedRanges.Range range = new StripedRanges.Range(5, 8, 4, MILLIS, 0);

        assertThat(range.take(6, 100)).isEqualTo(-1);
        assertThat(range.take(0, 4)).isEqualTo(-1);
        assertThat(range.take(5, 5)).isEqualTo(5);
    }

    @Test
    void runsGrowForThoseWhoUseThemUpWithinAMillisecond() {
        StripedRanges ranges = new StripedRanges(1 << 18);
        int slot = ranges.slot();
        List<Integer> lengths = new ArrayList<>();
        for (long end = 1; end < 12; end++) {
            int length = ranges.length(slot, MILLIS);
            lengths.add(length);
            ranges.put(slot, new StripedRanges.Range(end, end, length, MILLIS, 0));
        }

        assertThat(lengths).containsExactly(1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256);
        assertThat(ranges.length(slot, MILLIS + 1)).isEqualTo(1);
    }

    @Test
    void runsAreASmallPartOfATick() {
        StripedRanges ranges = new StripedRanges(1 << 7);
        ranges.put(ranges.slot(), new StripedRanges.Range(1, 1, 2, MILLIS, 0));

        assertThat(ranges.length(ranges.slot(), MILLIS)).isEqualTo(2);
    }

    @Test
    void aLowerRunDoesNotReplaceAHigherOne() {
        StripedRanges ranges = new StripedRanges(1 << 18);
        int slot = ranges.slot();
        StripedRanges.Range higher = new StripedRanges.Range(50, 60, 10, MILLIS, 0);
        ranges.put(slot, higher);
        ranges.put(slot, new StripedRanges.Range(40, 50, 10, MILLIS, 0));

        assertThat(ranges.get(slot)).isSameAs(higher);
    }

    @Test
    void threadsThatShareARunGetEachIdOnce() throws Exception {
        int threads = 3;
        int ranges = 3_000;
        int length = 40;
        List<StripedRanges.Range> shared = new ArrayList<>();
        for (int i = 0; i < ranges; i++) {
            shared.add(new StripedRanges.Range((long) i * length, (long) (i + 1) * length, length, MILLIS, 0));
        }
        List<long[]> taken = Together.run(
                threads,
                thread -> shared.stream().flatMapToLong(StripedRangesTest::all).toArray());

        assertThat(taken.stream().flatMapToLong(LongStream::of).sorted().toArray())
                .isEqualTo(LongStream.range(0, (long) ranges * length).toArray());
    }

    @Test
    void idsAreCountedWhenARunIsReplacedAndSeenBefore() {
        StripedRanges ranges = new StripedRanges(1 << 18);
        int slot = ranges.slot();
        assertThat(ranges.issued()).isZero();
        StripedRanges.Range first = new StripedRanges.Range(5, 8, 4, MILLIS, 0);
        ranges.put(slot, first);
        assertThat(ranges.issued()).isEqualTo(1);
        first.take(0, 100);
        first.take(0, 100);
        assertThat(ranges.issued()).isEqualTo(3);

        ranges.put(slot, new StripedRanges.Range(9, 20, 8, MILLIS, 0));
        assertThat(ranges.issued()).isEqualTo(4);
        assertThat(first.take(0, 100)).isEqualTo(-1);
        ranges.put(slot, new StripedRanges.Range(6, 7, 2, MILLIS, 0));
        assertThat(ranges.issued()).isEqualTo(5);
    }

    @Test
    void anIdThatWasTakenInVainDoesNotCount() {
        StripedRanges ranges = new StripedRanges(1 << 18);
        int slot = ranges.slot();
        StripedRanges.Range range = new StripedRanges.Range(5, 8, 4, MILLIS, 0);
        ranges.put(slot, range);
        range.take(0, 100);
        ranges.discard(slot);
        ranges.put(slot, new StripedRanges.Range(9, 10, 1, MILLIS, 0));

        assertThat(ranges.issued()).isEqualTo(2);
    }

    private static LongStream all(StripedRanges.Range range) {
        return LongStream.generate(() -> range.take(0, Long.MAX_VALUE)).takeWhile(id -> id >= 0);
    }
}

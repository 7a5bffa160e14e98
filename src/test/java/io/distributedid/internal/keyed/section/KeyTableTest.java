package io.distributedid.internal.keyed.section;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a thread may still do that has read a table before its keys moved. */
class KeyTableTest {

    private static final long ROOM = 1_000;

    private static final long PAGE_BYTES = 16 + 4 * 64;

    @Test
    void anOddNumberOfPlacesIsRoundedUp() {
        KeyPlaces places = new KeyPlaces(5);

        assertThat(places.size()).isEqualTo(6);
        assertThat(places.next(4)).isEqualTo(5);
        assertThat(places.next(5)).isZero();
    }

    @Test
    void aCounterThatMovedIsNotIncrementedAndItsNeighbourIs() {
        KeyPlaces places = new KeyPlaces(2);
        places.setCounter(0, 5);
        places.setCounter(1, 7);
        assertThat(places.add(0, 1, ROOM)).isEqualTo(6);

        assertThat(places.moved(0)).isEqualTo(6);

        assertThat(places.add(0, 1, ROOM)).isEqualTo(KeyTable.MOVING);
        assertThat(places.add(1, 1, ROOM)).isEqualTo(8);
        assertThat(places.moved(1)).isEqualTo(8);
        assertThat(places.add(1, 1, ROOM)).isEqualTo(KeyTable.MOVING);
    }

    @Test
    void afterAMoveOnlyTheLargerTableCounts() {
        KeyTable table = KeyTable.room(null);
        long[] keys = {1L << 20, 1L << 30, KeyHash.text("a")};
        for (long key : keys) {
            assertThat(table.isFull()).isFalse();
            table.insert(key, KeyTable.hash(key), 3);
        }
        assertThat(table.isFull()).isTrue();

        KeyTable larger = KeyTable.room(table);
        table.moveTo(larger);

        assertThat(larger.isFull()).isFalse();
        for (long key : keys) {
            long hash = KeyTable.hash(key);
            assertThat(table.add(key, hash, 1, ROOM)).isEqualTo(KeyTable.MOVING);
            assertThat(table.get(key, hash)).isEqualTo(KeyTable.MOVING);
            assertThat(larger.add(key, hash, 1, ROOM)).isEqualTo(4);
        }
    }

    @Test
    void aPageCountsForItsKeysInEveryTable() {
        KeyTable table = KeyTable.room(null);
        int last = 0;
        for (int key = 64; last == 0; key++) {
            long hash = KeyTable.hash(key);
            if (table.isPageDue(key, hash)) {
                table.insertPage(key, hash, 1);
                last = key;
            } else {
                table = inserted(table, key);
            }
        }
        assertThat(last).as("the sixteenth key").isEqualTo(79);
        KeyTable larger = KeyTable.room(table);
        table.moveTo(larger);

        for (int key = 64; key <= last; key++) {
            long hash = KeyTable.hash(key);
            assertThat(table.add(key, hash, 1, ROOM)).isEqualTo(2);
            assertThat(larger.add(key, hash, 1, ROOM)).isEqualTo(3);
        }
        assertThat(larger.get(80, KeyTable.hash(80))).isZero();
        assertThat(larger.add(128, KeyTable.hash(128), 1, ROOM)).isEqualTo(KeyTable.ABSENT);
    }

    @Test
    void aCounterStopsAtItsRoomAndAtTheLargestInt() {
        assertThat(KeyTable.sum(0, 1, 1)).isEqualTo(1);
        assertThat(KeyTable.sum(5, 5, 10)).isEqualTo(10);
        assertThat(KeyTable.sum(5, 6, 10)).isEqualTo(KeyTable.ABOVE);
        assertThat(KeyTable.sum(Integer.MAX_VALUE - 1, 1, Long.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
        assertThat(KeyTable.sum(Integer.MAX_VALUE, 1, Long.MAX_VALUE)).isEqualTo(KeyTable.FULL);
        assertThat(KeyTable.sum(-1, 1, ROOM)).isEqualTo(KeyTable.MOVING);
    }

    @Test
    void aCounterOfAPageStopsAtItsRoomToo() {
        KeyTable table = withOnePage();

        assertThat(table.add(3, KeyTable.hash(3), 9, 10)).isEqualTo(10);
        assertThat(table.add(3, KeyTable.hash(3), 1, 10)).isEqualTo(KeyTable.ABOVE);
        assertThat(table.get(3, KeyTable.hash(3))).isEqualTo(10);
    }

    @Test
    void aKeyThatIsAbsentHasNoCounterAndOneWithoutANumberHasZero() {
        KeyTable table = KeyTable.room(null);
        assertThat(table.get(7, KeyTable.hash(7))).isEqualTo(KeyTable.ABSENT);
        assertThat(table.add(7, KeyTable.hash(7), 1, ROOM)).isEqualTo(KeyTable.ABSENT);

        table.insert(7, KeyTable.hash(7), 0);

        assertThat(table.get(7, KeyTable.hash(7))).isZero();
        KeyTable larger = KeyTable.room(table);
        table.moveTo(larger);
        assertThat(larger.get(7, KeyTable.hash(7))).as("in a larger table").isZero();
    }

    @Test
    void sixteenNeighboursGetAPageWhicheverComesLastAndTextsNone() {
        for (long last : new long[] {0, 15}) {
            KeyTable table = KeyTable.room(null);
            for (long key = 0; key < 16; key++) {
                if (key != last) {
                    assertThat(table.isPageDue(key, KeyTable.hash(key))).isFalse();
                    table = inserted(table, key);
                }
            }
            assertThat(table.isPageDue(last, KeyTable.hash(last))).isTrue();
            assertThat(table.isPageDue(KeyHash.text("a"), KeyTable.hash(0))).isFalse();
        }
    }

    @Test
    void theBytesOfATableAreThoseOfItsPlacesAndPages() {
        KeyTable table = KeyTable.room(null);
        assertThat(table.bytes()).isEqualTo(96 + places(4));
        List<Long> growth = new ArrayList<>();
        for (int index = 0; index < 20; index++) {
            KeyTable filled = filledUpTo(table, index);
            long before = filled.bytes();
            long more = filled.bytesOfNextPage();
            insertPage(filled, index);
            assertThat(filled.bytes()).isEqualTo(before + more);
            growth.add((more - PAGE_BYTES) / 4);
            table = filled;
        }
        assertThat(growth)
                .as("places for pages")
                .containsExactly(2L, 0L, 2L, 0L, 3L, 0L, 0L, 3L, 0L, 0L, 4L, 0L, 0L, 0L, 5L, 0L, 0L, 0L, 0L, 6L);
    }

    @Test
    void aLargerTableHasRoomForWhatIsStillCounted() {
        KeyTable table = withOnePage();

        // One page, whose keys are counted in it: 1 * 5 / 3 + 2 places are fewer than the smallest number of them.
        assertThat(KeyTable.room(table).bytes()).isEqualTo(96 + places(4) + 4 * 2 + PAGE_BYTES);
    }

    private static long places(int count) {
        return count * 12L;
    }

    private static KeyTable inserted(KeyTable table, long key) {
        KeyTable free = table;
        if (table.isFull()) {
            free = KeyTable.room(table);
            table.moveTo(free);
        }
        free.insert(key, KeyTable.hash(key), 1);
        return free;
    }

    /** Sixteen keys in a row are as many as get a page. */
    private static KeyTable filledUpTo(KeyTable table, int index) {
        KeyTable filled = table;
        for (long key = 64L * index; key < 64L * index + 15; key++) {
            filled = inserted(filled, key);
        }
        return filled;
    }

    private static void insertPage(KeyTable table, int index) {
        long key = 64L * index + 15;
        table.insertPage(key, KeyTable.hash(key), 1);
    }

    private static KeyTable withOnePage() {
        KeyTable table = filledUpTo(KeyTable.room(null), 0);
        insertPage(table, 0);
        return table;
    }
}

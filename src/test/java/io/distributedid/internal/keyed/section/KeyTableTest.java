package io.distributedid.internal.keyed.section;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a thread may still do that has read a table before its keys moved. */
class KeyTableTest {

    private static final long ROOM = 1_000;

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
            if (table.isFull()) {
                KeyTable larger = KeyTable.room(table);
                table.moveTo(larger);
                table = larger;
            }
            if (table.isPageDue(key, hash)) {
                table.insertPage(key, hash, 1);
                last = key;
            } else {
                table.insert(key, hash, 1);
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
}

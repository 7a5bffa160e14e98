package io.distributedid.internal.keyed.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Together;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class KeysTest {

    private static final long UNBOUNDED = 1L << 40;

    private final KeyMemory memory = new KeyMemory(UNBOUNDED);

    private final Keys keys = new Keys(100, memory);

    @Test
    void theNumbersOfAKeyFollowEachOtherAboveTheBase() {
        assertThat(keys.current(7)).isEqualTo(100);
        assertThat(keys.next(7, 1, 1_000)).isEqualTo(101);
        assertThat(keys.next(7, 1, 1_000)).isEqualTo(102);
        assertThat(keys.next(8, 1, 1_000)).isEqualTo(101);
        assertThat(keys.next(7, 10, 1_000)).isEqualTo(112);
        assertThat(keys.current(7)).isEqualTo(112);
    }

    @Test
    void noNumberIsAboveMaxAndARefusedCallIncrementsNothing() {
        assertThat(keys.next(7, 4, 103)).isEqualTo(Keys.ABOVE_MAX);
        assertThat(memory.used()).isZero();
        assertThat(keys.next(7, 2, 103)).isEqualTo(102);
        assertThat(keys.next(7, 2, 103)).isEqualTo(Keys.ABOVE_MAX);
        assertThat(keys.next(7, 1, 103)).isEqualTo(103);
        assertThat(keys.next(7, 1, 103)).isEqualTo(Keys.ABOVE_MAX);
        assertThat(keys.next(7, 1, 104)).isEqualTo(104);
    }

    @Test
    void theLargestNumbersAreGivenAndNoCounterOverflows() {
        Keys last = new Keys(Long.MAX_VALUE - 2, memory);
        assertThat(last.next(0, 2, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        assertThat(last.next(0, 1, Long.MAX_VALUE)).isEqualTo(Keys.ABOVE_MAX);

        assertThat(keys.next(0, Integer.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(100L + Integer.MAX_VALUE);
        assertThat(keys.next(0, 1, Long.MAX_VALUE)).isEqualTo(Keys.FULL);
        assertThat(keys.current(0)).isEqualTo(100L + Integer.MAX_VALUE);
    }

    @Test
    void whereverMemoryIsUsedUpAKeyIsRefusedOrBeginsAboveTheBase() {
        for (long bytes = 500; bytes < 20_000; bytes += 100) {
            Keys small = new Keys(100, new KeyMemory(bytes));
            for (long key = 0; key < 500; key++) {
                assertThat(small.next(key, 1, 1_000))
                        .as("key %s of %s bytes", key, bytes)
                        .isIn(101L, Keys.FULL);
            }
        }
    }

    @Test
    void keysOfEveryKindCountAsInAMap() {
        Random random = new Random(42);
        Map<Long, Long> expected = new HashMap<>();
        for (int i = 0; i < 500_000; i++) {
            long key = switch (random.nextInt(5)) {
                case 0 -> random.nextInt(20_000);
                case 1 -> random.nextInt(2_000) * 5L;
                case 2 -> Long.MAX_VALUE - random.nextInt(5_000);
                case 3 -> mixed(random.nextInt(20_000));
                default -> KeyHash.text("text" + random.nextInt(20_000));
            };
            int count = 1 + random.nextInt(3);
            long number = expected.merge(key, 100L + count, (before, first) -> before + count);
            if (keys.next(key, count, UNBOUNDED) != number) {
                throw new AssertionError(key + " got another number than " + number);
            }
        }
        expected.replaceAll((key, number) -> number - keys.current(key));
        assertThat(expected.values()).as("missing").containsOnly(0L);
    }

    @Test
    void keysAtTheEdgesAreTold() {
        long[] edges = {0, 1, 63, 64, Long.MAX_VALUE, Long.MAX_VALUE - 63, Long.MIN_VALUE, (-1L << 62) - 1};
        for (long key : edges) {
            assertThat(keys.next(key, 1, 1_000)).isEqualTo(101);
        }
        for (long key : edges) {
            assertThat(keys.current(key)).isEqualTo(101);
        }
    }

    private static long mixed(long number) {
        return KeyHash.mixed(number) >>> 1;
    }

    @Test
    void withoutMemoryNewKeysAreRefusedAndKnownOnesCount() {
        Keys small = new Keys(0, new KeyMemory(10_000));
        int known = 0;
        while (small.next(mixed(known), 1, UNBOUNDED) > 0) {
            known++;
        }
        assertThat(known).isGreaterThan(50);
        assertThat(small.bytes()).isLessThanOrEqualTo(10_000).isGreaterThan(9_000);
        assertThat(small.next(mixed(known), 1, UNBOUNDED)).isEqualTo(Keys.FULL);
        assertThat(small.memory().isScarce()).isTrue();
        for (int i = 0; i < known; i++) {
            assertThat(small.next(mixed(i), 1, UNBOUNDED)).isEqualTo(2);
        }
    }

    @Test
    void droppedKeysGiveTheirMemoryBackAndTakeNoneAnyMore() {
        for (int i = 0; i < 10_000; i++) {
            keys.next(i, 1, UNBOUNDED);
        }
        assertThat(memory.used()).isEqualTo(keys.bytes()).isGreaterThan(40_000);

        keys.drop();

        assertThat(memory.used()).isZero();
        assertThat(keys.next(1_000_000, 1, UNBOUNDED)).isEqualTo(Keys.FULL);
        assertThat(keys.next(1, 1, UNBOUNDED))
                .as("a key that a call still uses")
                .isEqualTo(102);
        assertThat(memory.used()).isZero();
    }

    @Test
    void aCallOfAnotherThreadFindsThemDropped() throws Exception {
        keys.drop();

        assertThat(CompletableFuture.supplyAsync(() -> keys.next(7, 1, UNBOUNDED))
                        .get(60, TimeUnit.SECONDS))
                .isEqualTo(Keys.FULL);
    }

    @Test
    void denseKeysTakeTenBytesAtMost() {
        assertThat(mostBytes(1_000_000, key -> key)).isLessThanOrEqualTo(10);
    }

    @Test
    void sparseKeysTake24BytesAtMost() {
        assertThat(mostBytes(1_000_000, KeysTest::mixed)).isLessThanOrEqualTo(24);
        assertThat(mostBytes(1_000_000, KeysTest::snowflake)).isLessThanOrEqualTo(24);
    }

    /** 41 bits of milliseconds, 10 of a worker, 12 of a sequence that begins anywhere. */
    private static long snowflake(long number) {
        long random = KeyHash.mixed(number);
        return (1L << 40) + number << 22 | random & (1 << 22) - 1;
    }

    /** The most bytes a key, from a tenth of them on. */
    private static double mostBytes(int size, LongUnaryOperator key) {
        Keys some = new Keys(0, new KeyMemory(UNBOUNDED));
        double most = 0;
        for (int i = 1; i <= size; i++) {
            some.next(key.applyAsLong(i), 1, UNBOUNDED);
            if (i % 1_000 == 0 && i >= size / 2) {
                most = Math.max(most, (double) some.bytes() / i);
            }
        }
        return most;
    }

    @Test
    void threadsLoseAndRepeatNoNumberWhileTablesGrowAndPagesForm() throws Exception {
        for (int round = 0; round < 10; round++) {
            countTogether(round, 4, 30_000);
        }
    }

    /** A loop that runs for as long as one likes: {@code -Dsections.scale=}. */
    @Test
    @Tag("slow")
    @Tag("model")
    void threadsLoseAndRepeatNoNumberInManyRounds() throws Exception {
        for (int round = 0; round < 10 * Integer.getInteger("sections.scale", 1); round++) {
            countTogether(1_000 + round, 8, 100_000);
        }
    }

    /** A lost increment would leave a key's counter too small, and a repeated one would not grow. */
    private static void countTogether(int seed, int threads, int calls) throws Exception {
        Keys shared = new Keys(0, new KeyMemory(UNBOUNDED));
        Together.run(threads, thread -> {
            Map<Long, Long> last = new HashMap<>();
            for (int i = 0; i < calls; i++) {
                long key = key(seed, i);
                long number = shared.next(key, 1, UNBOUNDED);
                Long before = last.put(key, number);
                if (number <= (before == null ? 0 : before)) {
                    throw new AssertionError(key + " got " + number + " after " + before);
                }
            }
            return null;
        });
        Map<Long, Long> expected = new HashMap<>();
        for (int i = 0; i < calls; i++) {
            expected.merge(key(seed, i), (long) threads, Long::sum);
        }
        expected.replaceAll((key, number) -> number - shared.current(key));
        assertThat(expected.values()).as("missing in seed " + seed).containsOnly(0L);
    }

    /** All threads come upon new keys at about the same time. */
    private static long key(int seed, int call) {
        long random = KeyHash.mixed(seed * 1_000_003L + call);
        int reach = 1 + call / 4;
        return switch ((int) (random >>> 60) & 3) {
            case 0 -> (random >>> 8) % reach;
            case 1 -> (random >>> 8) % reach * 4;
            case 2 -> mixed((random >>> 8) % reach);
            default -> KeyHash.text("text" + (random >>> 8) % reach);
        };
    }
}

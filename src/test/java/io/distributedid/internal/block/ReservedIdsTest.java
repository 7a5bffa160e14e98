package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.spi.Block;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReservedIdsTest {

    private static final BlockPolicy POLICY = new BlockPolicy(1, 100, Optional.empty(), Duration.ofSeconds(1));

    private static final BlockPolicy STRICT = new BlockPolicy(1, 1, Optional.empty(), Duration.ofSeconds(1));

    @Test
    void everyIdOfTheBlockIsTakenOnce() {
        ReservedIds ids = ids(new Block(7, 3, 4));

        assertThat(new long[] {ids.take(), ids.take(), ids.take(), ids.take()}).containsExactly(7, 10, 13, 16);
        assertThat(ids.isUsedUp()).isTrue();
        assertThat(ids.holds(ids.take())).isFalse();
    }

    @Test
    void theLastIdsOfTheRangeAreHandedOutAndNothingAfterThem() {
        ReservedIds ids = ids(new Block(Long.MAX_VALUE - 2, 2, 2));

        assertThat(ids.take()).isEqualTo(Long.MAX_VALUE - 2);
        assertThat(ids.left()).isEqualTo(1);
        assertThat(ids.take()).isEqualTo(Long.MAX_VALUE);
        for (int i = 0; i < 1_000; i++) {
            assertThat(ids.holds(ids.take())).isFalse();
        }
        assertThat(ids.left()).isZero();
        assertThat(ids.used()).isEqualTo(2);
    }

    @Test
    void callersThatFindNothingNeverBringAnIdBackHoweverOftenTheyAsk() {
        ReservedIds ids = ids(new Block(1, 1L << 61, 3));
        for (int i = 0; i < 3; i++) {
            ids.take();
        }
        for (int i = 0; i < 100; i++) {
            assertThat(ids.holds(ids.take())).as("call " + i).isFalse();
            ids.retire();
        }
    }

    @Test
    void aBlockKnowsHowLongTheFormerOneLastedIfThatWasUsedUp() {
        ReservedIds usedUp = ids(new Block(1, 1, 2)).startedAt(100, ReservedIds.none());
        usedUp.take();
        usedUp.take();
        assertThat(ids(new Block(3, 1, 2)).startedAt(107, usedUp).formerLasted())
                .isEqualTo(7);

        ReservedIds dropped = ids(new Block(1, 1, 2)).startedAt(100, ReservedIds.none());
        dropped.take();
        dropped.retire();
        assertThat(ids(new Block(3, 1, 2)).startedAt(107, dropped).formerLasted())
                .isEqualTo(Long.MAX_VALUE);
        assertThat(dropped.formerLasted()).as("after the empty block").isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aRetiredBlockGivesNoMoreIds() {
        ReservedIds ids = ids(new Block(10, 5, 4));
        ids.take();

        assertThat(ids.retire()).isEqualTo(3);
        assertThat(ids.retire()).isZero();
        assertThat(ids.holds(ids.take())).isFalse();
        assertThat(ids.used()).isEqualTo(1);
        assertThat(ids.left()).isZero();
    }

    @Test
    void whatIsLeftIsRetiredFromWhereverTheCallersCame() {
        for (int taken = 0; taken <= 4; taken++) {
            ReservedIds ids = ids(new Block(10, 5, 4));
            for (int i = 0; i < taken; i++) {
                ids.take();
            }
            assertThat(ids.left()).isEqualTo(4 - taken);

            assertThat(ids.retire()).isEqualTo(4 - taken);
            assertThat(ids.retire()).as("retired again").isZero();
            assertThat(ids.used()).isEqualTo(taken);
            assertThat(ids.isUsedUp()).isTrue();
            assertThat(ids.take(1)).isEmpty();
        }
    }

    @Test
    void severalIdsAreTakenAtOnceUpToTheEnd() {
        ReservedIds ids = ids(new Block(10, 5, 4));

        assertThat(ids.take(3)).contains(new Block(10, 5, 3));
        assertThat(ids.left()).isEqualTo(1);
        assertThat(ids.used()).isEqualTo(3);
        assertThat(ids.take(3)).contains(new Block(25, 5, 1));
        assertThat(ids.take(3)).isEmpty();
        assertThat(ids.take()).isEqualTo(30);
        assertThat(ids.left()).isZero();
    }

    @Test
    void theIdAfterAQuarterOfTheBlockStartsTheNextFetch() {
        ReservedIds ids = ids(new Block(7, 3, 8));

        assertThat(ids.refillsAt(10)).isFalse();
        assertThat(ids.refillsAt(13)).isTrue();
        assertThat(ids.refillsAt(16)).isFalse();
        assertThat(ids.refillsWithin(new Block(7, 3, 2))).isFalse();
        assertThat(ids.refillsWithin(new Block(7, 3, 3))).isTrue();
        assertThat(ids.refillsWithin(new Block(13, 3, 1))).isTrue();
        assertThat(ids.refillsWithin(new Block(16, 3, 1))).isFalse();
        assertThat(new ReservedIds(new Block(7, 3, 1), 0, STRICT).refillsAt(7))
                .as("nothing is reserved ahead")
                .isFalse();
    }

    @Test
    void itsTimesCountFromTheReservationAndTheFirstUse() {
        ReservedIds ids = new ReservedIds(new Block(1, 1, 2), 20, POLICY).startedAt(50, ReservedIds.none());

        assertThat(ids.nanosSinceReserved(100)).isEqualTo(80);
        assertThat(ids.nanosInUse(100)).isEqualTo(50);
        assertThat(ids.isOlderThan(Duration.ofNanos(80), 100)).isFalse();
        assertThat(ids.isOlderThan(Duration.ofNanos(79), 100)).isTrue();
    }

    @Test
    void theEmptyBlockOfTheBeginningHasNothing() {
        ReservedIds none = ReservedIds.none();

        assertThat(none.count()).isZero();
        assertThat(none.left()).isZero();
        assertThat(none.isUsedUp()).isTrue();
        assertThat(none.take(1)).isEmpty();
        assertThat(none.retire()).isZero();
    }

    private static ReservedIds ids(Block block) {
        return new ReservedIds(block, 0, POLICY);
    }
}

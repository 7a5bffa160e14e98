package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.spi.Block;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReservedIdsTest {

    private static final BlockPolicy POLICY = new BlockPolicy(1, 100, Optional.empty(), Duration.ofSeconds(1));

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
            ids.end();
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
    void aRetiredBlockGivesItsRestAndNoMoreIds() {
        ReservedIds ids = ids(new Block(10, 5, 4));
        ids.take();

        assertThat(ids.retireRest()).contains(new Block(15, 5, 3));
        assertThat(ids.retireRest()).isEmpty();
        assertThat(ids.holds(ids.take())).isFalse();
        assertThat(ids.used()).isEqualTo(1);
        assertThat(ids.left()).isZero();
    }

    private static ReservedIds ids(Block block) {
        return new ReservedIds(block, 0, 0, POLICY);
    }
}

package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.spi.Block;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The age of blocks that may be ten seconds old. */
class BlockAgesTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final BlockAges ages = new BlockAges(Duration.ofSeconds(10));

    private final ReservedIds current = reservedAt(0);

    @Test
    void agesAreCheckedTenTimes() {
        assertThat(ages.interval()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aFreshBlockIsNeededAtSevenTenthsOfTheAgeIfIdsWereTaken() {
        current.take();
        assertThat(ages.needsFreshBlock(current, null, 7 * SECOND)).isFalse();
        assertThat(ages.needsFreshBlock(current, null, 7 * SECOND + 1)).isTrue();
    }

    @Test
    void withoutCallersNoFreshBlockIsNeeded() {
        assertThat(ages.needsFreshBlock(current, null, SECOND)).isFalse();
        assertThat(ages.needsFreshBlock(current, null, 8 * SECOND)).isFalse();
    }

    @Test
    void demandLastsForTheMaximumAgeAfterTheLastIdWasTaken() {
        current.take();
        ages.needsFreshBlock(current, null, 2 * SECOND);

        assertThat(ages.needsFreshBlock(current, null, 12 * SECOND)).isTrue();
        assertThat(ages.needsFreshBlock(current, null, 12 * SECOND + 1)).isFalse();
        current.take();
        assertThat(ages.needsFreshBlock(current, null, 13 * SECOND)).isTrue();
    }

    @Test
    void anotherBlockInUseIsDemandThoughTheFirstOneWasNot() {
        ages.needsFreshBlock(current, null, 0);

        assertThat(ages.needsFreshBlock(reservedAt(0), null, 8 * SECOND))
                .as("a caller made it the current one")
                .isTrue();
    }

    @Test
    void theNewestBlockCounts() {
        current.take();
        assertThat(ages.needsFreshBlock(current, reservedAt(6 * SECOND), 9 * SECOND))
                .isFalse();
        assertThat(ages.needsFreshBlock(current, reservedAt(SECOND), 9 * SECOND))
                .isTrue();
    }

    @Test
    void aBlockIsTooOldAtNineTenths() {
        assertThat(ages.isTooOld(current, 9 * SECOND)).isFalse();
        assertThat(ages.isTooOld(current, 9 * SECOND + 1)).isTrue();
    }

    @Test
    void aBlockInUseBeyondItsAgeIsNoticedOnce() {
        assertThat(ages.isNewlyOverdue(current, 10 * SECOND)).isFalse();
        assertThat(ages.isNewlyOverdue(current, 10 * SECOND + 1)).isTrue();
        assertThat(ages.isNewlyOverdue(current, 11 * SECOND)).isFalse();
        ReservedIds other = reservedAt(0);
        assertThat(ages.isNewlyOverdue(other, 11 * SECOND)).isTrue();
        ReservedIds usedUp = reservedAt(0);
        usedUp.retire();
        assertThat(ages.isNewlyOverdue(usedUp, 11 * SECOND)).isFalse();
    }

    private static ReservedIds reservedAt(long nanos) {
        return new ReservedIds(
                new Block(1, 1, 8),
                nanos,
                new BlockPolicy(8, 8, Optional.of(Duration.ofSeconds(10)), Duration.ofSeconds(1)));
    }
}

package io.distributedid.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.counter.Sides.Verdict;
import io.distributedid.spi.Block;
import org.junit.jupiter.api.Test;

class SidesTest {

    private static final int ODD = 0;

    private static final int EVEN = 1;

    private final Sides sides = new Sides(2, 1_000);

    @Test
    void blocksThatFollowEachOtherAreGood() {
        assertThat(judge(ODD, 1)).isEqualTo(Verdict.GOOD);
        assertThat(judge(EVEN, 2)).isEqualTo(Verdict.GOOD);
        assertThat(judge(ODD, 21)).isEqualTo(Verdict.GOOD);
        assertThat(sides.own(ODD)).isEqualTo(39);
        assertThat(sides.highest()).isEqualTo(39);
    }

    @Test
    void aBlockThatOverlapsAnEarlierOneOfItsServerWentBack() {
        judge(ODD, 1);

        assertThat(judge(ODD, 19)).isEqualTo(Verdict.WENT_BACK);
    }

    @Test
    void aServerThatWentBackStaysSoUntilItIsRaised() {
        judge(ODD, 101);
        judge(ODD, 1);

        assertThat(judge(ODD, 201)).as("others may have had higher ids").isEqualTo(Verdict.WENT_BACK);
        sides.raised(ODD);
        assertThat(judge(ODD, 301)).isEqualTo(Verdict.GOOD);
    }

    @Test
    void aServerThatGaveNothingBecauseItWentBackIsNotAskedUntilItIsRaised() {
        assertThat(sides.hasGoneBack(ODD)).isFalse();

        assertThat(sides.wentBack(ODD)).isEqualTo(Verdict.WENT_BACK);
        assertThat(sides.hasGoneBack(ODD)).isTrue();
        assertThat(sides.hasGoneBack(EVEN)).isFalse();
        sides.raised(ODD);
        assertThat(sides.hasGoneBack(ODD)).isFalse();
    }

    @Test
    void aServerMayLagBehindTheOthersUpToTheBound() {
        judge(EVEN, 2);
        sides.hear(ODD, 1_020);

        assertThat(judge(EVEN, 22)).isEqualTo(Verdict.GOOD);
        sides.hear(ODD, 1_061);
        assertThat(judge(EVEN, 42)).isEqualTo(Verdict.BEHIND);
        assertThat(sides.own(EVEN)).as("the block is not used").isEqualTo(40);
    }

    @Test
    void aServerThatLagsWhenItIsFirstMetMayHaveBeenReset() {
        sides.hear(ODD, 1_021);
        sides.hear(EVEN, 20);
        assertThat(sides.isBehindAtFirst(EVEN)).isTrue();
        assertThat(sides.isBehindAtFirst(ODD)).isFalse();

        assertThat(judge(EVEN, 2)).isEqualTo(Verdict.BEHIND_AT_FIRST);
    }

    @Test
    void whatWasHeardDoesNotMakeACounterGoBackSinceItsOwnersMayGiveIdsBack() {
        sides.hear(ODD, 500);

        assertThat(judge(ODD, 101)).isEqualTo(Verdict.GOOD);
    }

    /** Ten ids. */
    private Verdict judge(int server, long first) {
        return sides.judge(server, new Block(first, 2, 10));
    }
}

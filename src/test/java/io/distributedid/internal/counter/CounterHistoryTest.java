package io.distributedid.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.spi.Block;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CounterHistoryTest {

    private static final int ODD = 0;

    private static final int EVEN = 1;

    /** What is made up for if servers may drift apart by a thousand. */
    private static final long MOST = 1_000_000;

    private static final String SAME = "the server itself";

    private final CounterHistory history = history(2, DriftLimit.Failover.RAISE);

    @Test
    void blocksThatFollowEachOtherAreGood() {
        assertThat(take(ODD, 1)).isTrue();
        assertThat(take(EVEN, 2)).isTrue();
        assertThat(take(ODD, 21)).isTrue();
        assertThat(history.lastHere(ODD)).isEqualTo(39);
        assertThat(history.highest()).isEqualTo(39);
    }

    @Test
    void aBlockThatOverlapsAnEarlierOneOfItsServerIsDoubtful() {
        take(ODD, 1);

        assertThat(take(ODD, 19)).isFalse();
        assertThat(hasGoneBack(seen(ODD, 1, 37))).isTrue();
    }

    @Test
    void aBlockThatOverlapsIdsThatWereSeenIsDoubtful() {
        history.accept(ODD, 5_001, 3);

        assertThat(history.isGood(ODD, new Block(4_001, 2, 10), 3))
                .as("a dump was loaded")
                .isFalse();
        assertThat(history.hasGoneBack(ODD)).isTrue();
    }

    @Test
    void aBlockBelowIdsThatWereSeenUnderAnOlderGenerationIsGood() {
        history.accept(ODD, 5_001, 3);

        assertThat(history.isGood(ODD, new Block(4_001, 2, 10), 4))
                .as("another process has handed them back")
                .isTrue();
    }

    @Test
    void withoutARecordIdsThatWereSeenMayBeHandedBack() {
        history.accept(ODD, 5_001, 0);

        assertThat(history.isGood(ODD, new Block(4_001, 2, 10), 0)).isTrue();
    }

    @Test
    void aServerThatWentBackStaysSoUntilItIsRaised() {
        take(ODD, 101);
        take(ODD, 1);

        assertThat(take(ODD, 201)).as("others may have had higher ids").isFalse();
        history.raised(ODD, true);
        assertThat(take(ODD, 301)).isTrue();
    }

    @Test
    void aServerMayLagBehindTheOthersUpToTheBound() {
        history.accept(ODD, 1_020, 1);
        assertThat(take(EVEN, 2)).isTrue();

        history.accept(ODD, 1_061, 1);
        assertThat(take(EVEN, 22)).as("lags by 1021").isFalse();
        assertThat(hasGoneBack(seen(EVEN, 1, 40))).isFalse();
    }

    @Test
    void aServerThatLiesMuchTooFarAheadIsNoMeasureForTheOthers() {
        history.accept(ODD, 900, 1);
        history.accept(EVEN, 2_000_000, 1);

        assertThat(history.isTooFarAhead(EVEN)).isTrue();
        assertThat(history.isTooFarAhead(ODD)).isFalse();
        assertThat(history.highest()).isEqualTo(900);
        assertThat(take(ODD, 901)).isTrue();
        assertThat(take(EVEN, 2_000_002)).isFalse();
    }

    @Test
    void aServerGoesOnHoweverFarItsBlocksLeaveASilentOneBehind() {
        take(ODD, 1);
        for (long first = 2; first <= 3 * MOST; first += MOST / 2) {
            assertThat(take(EVEN, first)).as("first=%s", first).isTrue();
        }

        assertThat(history.isTooFarAhead(EVEN)).isFalse();
        assertThat(history.highest()).isEqualTo(history.lastHere(EVEN));
        assertThat(take(ODD, 21)).as("it must be raised first").isFalse();
        assertThat(history.hasGoneBack(ODD)).isFalse();
        assertThat(history.copy().isTooFarAhead(EVEN)).isFalse();
    }

    @Test
    void aBlockFarAboveAllThatIsKnownIsDoubtful() {
        take(ODD, 1);
        take(EVEN, 2);

        assertThat(take(EVEN, 22 + MOST)).isFalse();
        assertThat(take(EVEN, 22)).isTrue();
    }

    @Test
    void whatWasHeardOfCanBeHandedBackUnderANewGenerationOnly() {
        history.accept(ODD, 5_457, 3);

        assertThat(hasGoneBack(seen(ODD, 4, 5_001))).as("handed back").isFalse();
        assertThat(hasGoneBack(seen(ODD, 3, 5_001))).as("lost").isTrue();
    }

    @Test
    void anOlderGenerationIsAnOlderState() {
        history.accept(ODD, 5_457, 3);

        assertThat(hasGoneBack(seen(ODD, 2, 5_457))).isTrue();
    }

    @Test
    void onlyIdsOfTheLatestGenerationAreHandedBack() {
        take(ODD, 1);
        history.isGood(ODD, new Block(21, 2, 10), 2);

        assertThat(history.mayHandBack(ODD, new Block(5, 2, 8))).isFalse();
        assertThat(history.mayHandBack(ODD, new Block(25, 2, 8))).isTrue();
        assertThat(history.generationHere(ODD)).isEqualTo(2);
    }

    @Test
    void theFirstBlockOfAnUnrecordedCounterIsWhereHandingBackBegins() {
        assertThat(history.mayHandBack(ODD, new Block(21, 2, 10)))
                .as("nothing was drawn")
                .isFalse();
        history.isGood(ODD, new Block(21, 2, 10), 0);
        history.isGood(ODD, new Block(41, 2, 10), 0);

        assertThat(history.mayHandBack(ODD, new Block(19, 2, 1))).isFalse();
        assertThat(history.mayHandBack(ODD, new Block(21, 2, 10))).isTrue();
        assertThat(history.mayHandBack(ODD, new Block(57, 2, 2))).isTrue();
    }

    @Test
    void aBlockMayBeAsFarAheadOfTheOthersAsIsMadeUpFor() {
        assertThat(take(EVEN, 5_000_000)).as("no other one has answered").isTrue();
        CounterHistory other = history(2, DriftLimit.Failover.RAISE);
        other.accept(ODD, 0, 1);

        assertThat(other.copy().isGood(EVEN, new Block(MOST + 2, 2, 10), 1)).isFalse();
        assertThat(other.isGood(EVEN, new Block(MOST - 18, 2, 10), 1)).isTrue();
        assertThat(other.isGood(EVEN, new Block(MOST + 2, 2, 10), 1))
                .as("it goes on from ids of this process")
                .isTrue();
    }

    @Test
    void aLookBelowTheIdsDrawnHereIsALossWhateverItsGeneration() {
        take(ODD, 1);

        assertThat(hasGoneBack(seen(ODD, 2, 19))).isFalse();
        assertThat(hasGoneBack(seen(ODD, 2, 18))).isTrue();
    }

    @Test
    void aCounterMayFallByItsSlackAndNoFurther() {
        take(ODD, 1);
        assertThat(hasGoneBack(seen(ODD, 1, 16, 3, SAME))).isFalse();
        assertThat(hasGoneBack(seen(ODD, 1, 15, 3, SAME))).isTrue();
    }

    @Test
    void aMissingRowLiesBelowEveryIdAndBelowNone() {
        assertThat(CounterHistory.isBelow(seen(ODD, 1, 0, 100, SAME), 1)).isTrue();
        assertThat(CounterHistory.isBelow(seen(ODD, 1, 1, 100, SAME), 1)).isFalse();
        assertThat(CounterHistory.isBelow(seen(ODD, 1, 0, 100, SAME), 0)).isFalse();
    }

    @Test
    void aServerThatWentBackIsRightAgainOnceAnotherProcessHasRaisedIt() {
        take(ODD, 101);
        take(ODD, 1);

        assertThat(hasGoneBack(seen(ODD, 1, 200))).as("the same generation").isTrue();
        assertThat(hasGoneBack(seen(ODD, 2, 118))).as("below an id drawn here").isTrue();
        assertThat(hasGoneBack(seen(ODD, 2, 119))).isFalse();
    }

    @Test
    void aReplicaIsJudgedOnlyIfItLosesNothing() {
        take(ODD, 101);
        assertThat(hasGoneBack(seen(ODD, 1, 1, 0, "replica"))).isFalse();

        CounterHistory lossless = history(2, DriftLimit.Failover.LOSSLESS);
        lossless.isGood(ODD, new Block(101, 2, 10), 1);
        lossless.judge(seen(ODD, 1, 1, 0, "replica"));
        assertThat(lossless.hasGoneBack(ODD)).isTrue();
    }

    @Test
    void whatOthersRecordOfAServerIsTheLastIdOfTheNewestGeneration() {
        assertThat(history.witness(ODD)).isEmpty();
        history.raiseHighest(ODD, 0);
        assertThat(history.witness(ODD)).contains(new Witness(0, 0));

        history.accept(ODD, 700, 3);
        history.accept(ODD, 600, 3);
        history.accept(ODD, 900, 2);
        assertThat(history.witness(ODD)).contains(new Witness(3, 700));
        assertThat(history.highest(ODD)).as("of any generation").isEqualTo(900);
        history.accept(ODD, 800, 3);
        assertThat(history.witness(ODD)).contains(new Witness(3, 800));
        history.accept(ODD, 500, 4);
        assertThat(history.witness(ODD)).contains(new Witness(4, 500));
        assertThat(history.generation(ODD)).isEqualTo(4);
        assertThat(history.highest(EVEN)).as("never answered").isZero();
    }

    @Test
    void aServerFarBehindIsExplainedByItsOwnIdsHereOrByAFarRaise() {
        assertThat(history.isExplained(EVEN)).isFalse();
        history.raised(ODD, false);
        assertThat(history.isExplained(EVEN)).isFalse();
        take(EVEN, 2);
        assertThat(history.isExplained(EVEN)).isTrue();
        assertThat(history.isExplained(ODD)).isFalse();

        history.raised(EVEN, true);
        history.raised(EVEN, false);
        assertThat(history.isExplained(ODD)).isTrue();
    }

    @Test
    void idsThatWereHandedBackAreDrawnAgainUnderTheNewGeneration() {
        take(ODD, 1);
        history.handedBack(ODD, 9, 2);

        assertThat(history.lastHere(ODD)).isEqualTo(9);
        assertThat(history.generationHere(ODD)).isEqualTo(2);
        assertThat(history.generation(ODD)).isEqualTo(2);
        assertThat(history.witness(ODD)).contains(new Witness(2, 9));
        assertThat(hasGoneBack(seen(ODD, 2, 9))).isFalse();
        history.handedBack(ODD, 30, 3);
        assertThat(history.lastHere(ODD)).as("drawn here").isEqualTo(9);
    }

    @Test
    void aServerMayComeAsFarAsTheOthersOrThePlanExplain() {
        assertThat(history.furthest(EVEN)).isEqualTo(Long.MAX_VALUE);

        history.explain(EVEN, 40);
        assertThat(history.furthest(EVEN)).as("alone").isEqualTo(40 + MOST);
        assertThat(take(EVEN, 24 + MOST)).isFalse();
        assertThat(take(EVEN, 22 + MOST)).isTrue();
        assertThat(history.furthest(EVEN)).as("of its own blocks").isEqualTo(40 + 2 * MOST);
        history.explain(ODD, 3 * MOST + 1);
        assertThat(history.furthest(EVEN)).as("of the other").isEqualTo(4 * MOST + 1);
        history.explain(ODD, Long.MAX_VALUE - MOST + 1);
        assertThat(history.furthest(EVEN)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aServerThatIsRefusedIsNoMeasureForTheOthers() {
        history.explain(EVEN, 40);
        history.refuse(EVEN, 40);
        history.explain(ODD, 101);

        assertThat(history.isTooFarAhead(EVEN)).isTrue();
        assertThat(history.copy().isTooFarAhead(EVEN)).isTrue();
        assertThat(history.highest()).isEqualTo(101);
        assertThat(history.highest(EVEN)).isEqualTo(40);
        history.explain(EVEN, 42);
        assertThat(history.isTooFarAhead(EVEN)).isFalse();
    }

    @Test
    void theOnlyServerIsNeverTooFarAhead() {
        history.accept(EVEN, 50_000_000, 1);

        assertThat(history.highestOfOthers(EVEN)).isEqualTo(-1);
        assertThat(history.isTooFarAhead(EVEN)).isFalse();
        assertThat(history.highest()).isEqualTo(50_000_000);
        assertThat(history(2, DriftLimit.Failover.RAISE).highest()).isZero();
    }

    @Test
    void amongThreeServersTheOneThatMustBeWrongIsLeftOut() {
        CounterHistory three = history(3, DriftLimit.Failover.RAISE);
        three.accept(0, 0, 1);
        three.accept(1, MOST, 1);
        assertThat(three.isTooFarAhead(1)).isFalse();
        assertThat(three.highestOfOthers(2)).as("as far as is made up for").isEqualTo(MOST);
        assertThat(three.highestOfOthers(0)).isEqualTo(MOST);

        three.accept(1, MOST + 1, 1);
        assertThat(three.isTooFarAhead(1)).isTrue();
        assertThat(three.highestOfOthers(2)).isZero();
        assertThat(three.highest()).isZero();
        three.accept(2, 5, 1);
        assertThat(three.highestOfOthers(0)).isEqualTo(MOST + 1);
        assertThat(three.highestOfOthers(1)).isEqualTo(5);
    }

    @Test
    void aSuccessorContinuesACopyThatIsItsOwn() {
        history.isGood(ODD, new Block(11, 2, 5), 4);
        history.accept(EVEN, 40, 7);
        take(EVEN, 2);
        take(EVEN, 2);
        history.learn("token");
        CounterHistory copy = history.copy();
        history.raised(EVEN, true);
        take(EVEN, 102);

        assertThat(copy.lastHere(ODD)).isEqualTo(19);
        assertThat(copy.generationHere(ODD)).isEqualTo(4);
        assertThat(copy.mayHandBack(ODD, new Block(9, 2, 1))).isFalse();
        assertThat(copy.mayHandBack(ODD, new Block(11, 2, 5))).isTrue();
        assertThat(copy.highest(ODD)).isEqualTo(19);
        assertThat(copy.witness(ODD)).contains(new Witness(4, 19));
        assertThat(copy.witness(EVEN)).contains(new Witness(7, 40));
        assertThat(copy.hasGoneBack(EVEN)).isTrue();
        assertThat(copy.hasGoneBack(ODD)).isFalse();
        assertThat(copy.lastHere(EVEN)).isEqualTo(20);
        assertThat(copy.token()).contains("token");
        assertThat(history.copy().isExplained(EVEN)).isTrue();
        CounterHistory empty = history(2, DriftLimit.Failover.RAISE);
        empty.raised(ODD, true);
        assertThat(empty.copy().isExplained(EVEN)).isTrue();
    }

    @Test
    void theFirstTokenOfTheIdSpaceStays() {
        assertThat(history.token()).isEmpty();
        history.learn("first");
        history.learn("second");

        assertThat(history.token()).contains("first");
    }

    private boolean hasGoneBack(Seen seen) {
        history.judge(seen);
        return history.hasGoneBack(seen.place());
    }

    private boolean take(int place, long first) {
        return history.isGood(place, new Block(first, 2, 10), 1);
    }

    private static CounterHistory history(int servers, DriftLimit.Failover failover) {
        return new CounterHistory(servers, new DriftLimit(1_000, false, "behind", failover));
    }

    private static Seen seen(int place, long generation, long last) {
        return seen(place, generation, last, 0, SAME);
    }

    /** {@code server}: who answered; the counter was last drawn from on {@link #SAME}. */
    private static Seen seen(int place, long generation, long last, long slack, String server) {
        return new Seen(
                place,
                "server " + place,
                new Numbering(2, place + 1),
                server,
                Optional.empty(),
                Optional.of(new CounterRecord(generation, 0, SAME)),
                Map.of(),
                OptionalLong.of(last),
                slack,
                Long.MAX_VALUE,
                false,
                "session");
    }
}

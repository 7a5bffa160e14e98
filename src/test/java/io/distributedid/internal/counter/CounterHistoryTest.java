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

    private final CounterHistory history =
            new CounterHistory(2, new DriftLimit(1_000, false, "max", "behind", DriftLimit.Failover.RAISE, "failover"));

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

    private boolean hasGoneBack(Seen seen) {
        history.judge(seen);
        return history.hasGoneBack(seen.place());
    }

    private boolean take(int place, long first) {
        return history.isGood(place, new Block(first, 2, 10), 1);
    }

    private static Seen seen(int place, long generation, long last) {
        return new Seen(
                place,
                "server " + place,
                new Numbering(2, place + 1),
                "",
                true,
                Optional.empty(),
                Optional.of(new CounterRecord(generation, 0, "")),
                Map.of(),
                OptionalLong.of(last),
                0,
                false,
                "session");
    }
}

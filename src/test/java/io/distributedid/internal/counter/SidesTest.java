package io.distributedid.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.spi.Block;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SidesTest {

    private static final int ODD = 0;

    private static final int EVEN = 1;

    private final Sides sides =
            new Sides(2, new Distance(1_000, false, "max", "behind", Distance.Failover.RAISE, "failover"));

    @Test
    void blocksThatFollowEachOtherAreGood() {
        assertThat(take(ODD, 1)).isTrue();
        assertThat(take(EVEN, 2)).isTrue();
        assertThat(take(ODD, 21)).isTrue();
        assertThat(sides.own(ODD)).isEqualTo(39);
        assertThat(sides.highest()).isEqualTo(39);
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
        sides.raised(ODD, true);
        assertThat(take(ODD, 301)).isTrue();
    }

    @Test
    void aServerMayLagBehindTheOthersUpToTheBound() {
        sides.hear(ODD, 1_020, 1);
        assertThat(take(EVEN, 2)).isTrue();

        sides.hear(ODD, 1_061, 1);
        assertThat(take(EVEN, 22)).as("lags by 1021").isFalse();
        assertThat(hasGoneBack(seen(EVEN, 1, 40))).isFalse();
    }

    @Test
    void aServerThatLiesMuchTooFarAheadIsNoMeasureForTheOthers() {
        sides.hear(ODD, 900, 1);
        sides.hear(EVEN, 2_000_000, 1);

        assertThat(sides.isTooFarAhead(EVEN)).isTrue();
        assertThat(sides.isTooFarAhead(ODD)).isFalse();
        assertThat(sides.highest()).isEqualTo(900);
        assertThat(take(ODD, 901)).isTrue();
        assertThat(take(EVEN, 2_000_002)).isFalse();
    }

    @Test
    void whatWasHeardOfCanBeHandedBackUnderANewGenerationOnly() {
        sides.hear(ODD, 5_457, 3);

        assertThat(hasGoneBack(seen(ODD, 4, 5_001))).as("handed back").isFalse();
        assertThat(hasGoneBack(seen(ODD, 3, 5_001))).as("lost").isTrue();
    }

    @Test
    void anOlderGenerationIsAnOlderState() {
        sides.hear(ODD, 5_457, 3);

        assertThat(hasGoneBack(seen(ODD, 2, 5_457))).isTrue();
    }

    @Test
    void onlyIdsOfTheLatestGenerationAreHandedBack() {
        take(ODD, 1);
        sides.isGood(ODD, new Block(21, 2, 10), 2);

        assertThat(sides.mayHandBack(ODD, new Block(5, 2, 8))).isFalse();
        assertThat(sides.mayHandBack(ODD, new Block(25, 2, 8))).isTrue();
        assertThat(sides.ownGeneration(ODD)).isEqualTo(2);
    }

    private boolean hasGoneBack(Seen seen) {
        sides.judge(seen);
        return sides.hasGoneBack(seen.place());
    }

    private boolean take(int place, long first) {
        return sides.isGood(place, new Block(first, 2, 10), 1);
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
                "session");
    }
}

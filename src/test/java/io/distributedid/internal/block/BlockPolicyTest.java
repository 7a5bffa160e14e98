package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BlockPolicyTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private static final long MILLI = SECOND / 1_000;

    private static final long NOT_USED_UP = Long.MAX_VALUE;

    @Test
    void theFirstBlockHasTheLeastSize() {
        assertThat(policy(Map.of()).nextSize(0, 0, SECOND, NOT_USED_UP, 0)).isEqualTo(16);
    }

    @Test
    void aBlockLastsForFourTenthsOfTheMaximumAge() {
        assertThat(policy(Map.of()).nextSize(4_000, 1_000, SECOND, NOT_USED_UP, 0))
                .isEqualTo(4_000);
        assertThat(policy(Map.of("distributedid.block.max_age", "30s")).nextSize(4_000, 1_000, SECOND, NOT_USED_UP, 0))
                .isEqualTo(12_000);
    }

    @Test
    void sizesGrowFourfoldAtTheMost() {
        assertThat(policy(Map.of()).nextSize(16, 16, 1_000, NOT_USED_UP, 0)).isEqualTo(64);
    }

    /** A thousand ids a second; eight fetches take longer than the ids may be old. */
    @Test
    void slowFetchesMakeBlocksLastLongerOnlyWithoutAMaximumAge() {
        assertThat(policy(Map.of("distributedid.block.max_age", "1s")).nextSize(500, 125, 125 * MILLI, 1, SECOND))
                .isEqualTo(400);
        assertThat(policy(Map.of("distributedid.block.max_age", "off"))
                        .nextSize(4_000, 125, 125 * MILLI, NOT_USED_UP, SECOND))
                .isEqualTo(8_000);
    }

    /** A million ids a second, fetches of 5 ms. */
    @Test
    void afterABlockThatWasUsedUpWithinEightFetchesSizesGrowSixtyFourfoldAtTheMost() {
        assertThat(policy(Map.of()).nextSize(64, 16, 16_000, 40 * MILLI - 1, 5 * MILLI))
                .isEqualTo(64 * 64);
        assertThat(policy(Map.of()).nextSize(64, 16, 16_000, 40 * MILLI, 5 * MILLI))
                .isEqualTo(4 * 64);
    }

    /** 12,500 ids a second, fetches of 5 ms: 500 ids last for eight, 50,000 for 40 % of the maximum age. */
    @Test
    void sizesGrowThatFastOnlyToWhatLastsForEightFetches() {
        assertThat(policy(Map.of()).nextSize(64, 16, 1_280_000, 10 * MILLI, 5 * MILLI))
                .isEqualTo(500);
        assertThat(policy(Map.of()).nextSize(500, 125, 10 * MILLI, 10 * MILLI, 5 * MILLI))
                .isEqualTo(2_000);
    }

    @Test
    void sizesShrinkAtOnceButNotBelowTheLeast() {
        assertThat(policy(Map.of()).nextSize(100_000, 10, 60 * SECOND, NOT_USED_UP, 0))
                .isEqualTo(16);
    }

    @Test
    void sizesStayBelowTheMost() {
        assertThat(policy(Map.of("distributedid.block.max", "5000")).nextSize(4_000, 4_000, 1, NOT_USED_UP, 0))
                .isEqualTo(5_000);
    }

    @Test
    void aMostOfOneIsTheStrictMode() {
        BlockPolicy policy = policy(Map.of("distributedid.block.max", "1"));

        assertThat(policy.strict()).isTrue();
        assertThat(policy.nextSize(1, 1, 1, NOT_USED_UP, 0)).isEqualTo(1);
    }

    @Test
    void agesCanBeOff() {
        assertThat(policy(Map.of("distributedid.block.max_age", "off")).maxAge())
                .isEmpty();
    }

    @Test
    void theLeastMustNotExceedTheMost() {
        assertThatThrownBy(() -> policy(Map.of("distributedid.block.max", "10", "distributedid.block.min", "11")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: distributedid.block.min=11, allowed: at most"
                        + " distributedid.block.max=10. Lower distributedid.block.min or raise"
                        + " distributedid.block.max");
        assertThatThrownBy(() -> policy(Map.of("distributedid.block.min", "100001")))
                .hasMessage("A setting has a value that is not allowed: distributedid.block.min=100001, allowed: at"
                        + " most distributedid.block.max=100000 (its default). Lower distributedid.block.min or raise"
                        + " distributedid.block.max");
    }

    @Test
    void theLeastOfAllAndTheMostOfOneSequenceAreNamedAsTheyAreWritten() {
        Settings photos = Settings.of(
                        Map.of("distributedid.block.min", "50", "distributedid.seq.photos.block.max", "10"))
                .forSequence("photos");

        assertThatThrownBy(() -> BlockPolicy.of(photos))
                .hasMessage("A setting has a value that is not allowed: distributedid.block.min=50, allowed: at most"
                        + " distributedid.seq.photos.block.max=10. Lower distributedid.block.min or raise"
                        + " distributedid.seq.photos.block.max");
    }

    private static BlockPolicy policy(Map<String, String> settings) {
        return BlockPolicy.of(Settings.of(settings));
    }
}

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

    @Test
    void theFirstBlockHasTheLeastSize() {
        assertThat(policy(Map.of()).nextSize(0, 0, SECOND)).isEqualTo(16);
    }

    @Test
    void aBlockLastsForFourTenthsOfTheMaximumAge() {
        assertThat(policy(Map.of()).nextSize(4_000, 1_000, SECOND)).isEqualTo(4_000);
        assertThat(policy(Map.of("distributedid.block.max_age", "30s")).nextSize(4_000, 1_000, SECOND))
                .isEqualTo(12_000);
    }

    @Test
    void sizesGrowFourfoldAtTheMost() {
        assertThat(policy(Map.of()).nextSize(16, 16, 1_000)).isEqualTo(64);
    }

    @Test
    void sizesShrinkAtOnceButNotBelowTheLeast() {
        assertThat(policy(Map.of()).nextSize(100_000, 10, 60 * SECOND)).isEqualTo(16);
    }

    @Test
    void sizesStayBelowTheMost() {
        assertThat(policy(Map.of("distributedid.block.max", "5000")).nextSize(4_000, 4_000, 1))
                .isEqualTo(5_000);
    }

    @Test
    void aMostOfOneIsTheStrictMode() {
        BlockPolicy policy = policy(Map.of("distributedid.block.max", "1"));

        assertThat(policy.strict()).isTrue();
        assertThat(policy.nextSize(1, 1, 1)).isEqualTo(1);
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
                .hasMessage("A setting has a value that is not allowed: distributedid.block.min=11, allowed: a number"
                        + " from 1 to 10");
    }

    private static BlockPolicy policy(Map<String, String> settings) {
        return BlockPolicy.of(Settings.of(settings));
    }
}

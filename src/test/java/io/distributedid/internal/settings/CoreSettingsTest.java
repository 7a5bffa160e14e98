package io.distributedid.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CoreSettingsTest {

    @Test
    void thereAreAsManyShardsAsTheFieldHoldsUnlessLessAreSet() {
        assertThat(CoreSettings.shards(Settings.of(Map.of()), 1_024)).isEqualTo(1_024);
        assertThat(CoreSettings.shards(of(12), 1_024)).isEqualTo(12);
        assertThat(CoreSettings.shards(of(1_024), 1_024)).isEqualTo(1_024);
        assertThatThrownBy(() -> CoreSettings.shards(of(1_025), 1_024))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("a number from 1 to 1024");
    }

    @Test
    void aLeaseLeavesTimeForASecondCall() {
        Duration lease = Duration.ofSeconds(5);
        assertThat(timeout("1s", lease)).isEqualTo(Duration.ofSeconds(1));
        assertThat(timeout("2s", lease)).isEqualTo(lease.dividedBy(3));
        assertThat(timeout("2s", Duration.ofSeconds(9))).isEqualTo(Duration.ofSeconds(2));
    }

    private static Duration timeout(String timeout, Duration lease) {
        return CoreSettings.timeout(Settings.of(Map.of("distributedid.timeout", timeout)), lease);
    }

    private static Settings of(long count) {
        return Settings.of(Map.of("distributedid.shard.count", count));
    }
}

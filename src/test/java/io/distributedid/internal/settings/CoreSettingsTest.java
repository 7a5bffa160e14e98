package io.distributedid.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Settings;
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

    private static Settings of(long count) {
        return Settings.of(Map.of("distributedid.shard.count", count));
    }
}

package io.distributedid.backend.snowflake.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseSettingsTest {

    /** As the callers of all other backends. */
    @ParameterizedTest
    @ValueSource(strings = {"lease", "exclusive", "7"})
    void callersWaitForBlockTimeout(String worker) {
        assertThat(callerTimeout(worker, "10ms")).isEqualTo(Duration.ofMillis(10));
        assertThat(callerTimeout(worker, "7m")).isEqualTo(Duration.ofMinutes(7));
    }

    private static Duration callerTimeout(String worker, String timeout) {
        Settings settings =
                Settings.of(Map.of("distributedid.snowflake.worker", worker, "distributedid.block.timeout", timeout));
        return LeaseSettings.terms(settings, new NumberRange(0, 9)).callerTimeout();
    }
}

package io.distributedid.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.IdLayout;
import io.distributedid.internal.IdLayouts;
import io.distributedid.snowflake.lease.Leases;
import io.distributedid.spi.Settings;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatefulSetTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private static final Settings STATEFULSET =
            Settings.of(Map.of(DistributedIdSettings.SNOWFLAKE_WORKER, "statefulset"));

    @ParameterizedTest
    @CsvSource({"web-0, 0", "web-api-17, 17", "ids-1023.ids.default.svc.cluster.local, 1023"})
    void theOrdinalOfThePodIsTheWorkerNumber(String hostName, long number) {
        assertThat(worker(hostName).window().number()).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "web", "web-", "web-1024", "web-01", "web-7d4b9c6f5-x2x4z", "host.rack-3", "web-9999999999"})
    void aHostNameWithoutOrdinalIsRefused(String hostName) {
        assertThatThrownBy(() -> worker(hostName))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "A setting has a value that is not allowed: distributedid.snowflake.worker=statefulset, allowed: only"
                                + " where the host name ends in the ordinal of a StatefulSet's pod, -0 to -1023: host name="
                                + hostName);
    }

    private static Worker worker(String hostName) {
        IdLayout layout = IdLayouts.of(STATEFULSET, NOW);
        SettableClock clock = new SettableClock(NOW);
        return new Workers(clock, new WorkerNumbers(), () -> hostName, new Leases(clock, Optional.empty()))
                .of(STATEFULSET, layout, FieldValues.of(STATEFULSET, layout));
    }
}

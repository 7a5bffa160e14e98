package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatefulSetTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "photos, photos-0, 0",
        "photos-api, photos-api-17, 17",
        "photos, photos-1023.photos.default.svc.cluster.local, 1023"
    })
    void theOrdinalOfThePodIsTheWorkerNumber(String set, String hostName, long number) {
        assertThat(worker("statefulset:" + set, hostName).window().number()).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "photos",
                "photos-",
                "photos-1024",
                "photos-01",
                "photos-7d4b9c6f5-x2x4z",
                "host.photos-3",
                "photos-9999999999",
                "photos-api-3",
                "my-photos-3",
                "ip-10-0-3-12",
                "node-3"
            })
    void aHostNameThatIsNotThatOfAPodOfTheSetIsRefused(String hostName) {
        assertThatThrownBy(() -> worker("statefulset:photos", hostName))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "A setting has a value that is not allowed: distributedid.snowflake.worker=statefulset:photos,"
                                + " allowed: only on hosts photos-0 to photos-1023, as Kubernetes names the pods of the"
                                + " StatefulSet photos: host name=" + hostName);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ip-10-0-3-12", "node-3", "photos-3"})
    void theSetMustBeNamed(String hostName) {
        assertThatThrownBy(() -> worker("statefulset", hostName))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: distributedid.snowflake.worker=statefulset,"
                        + " allowed: statefulset:<name of the StatefulSet>, as in statefulset:photos on hosts photos-0,"
                        + " photos-1, ...: host name=" + hostName);
    }

    @ParameterizedTest
    @ValueSource(strings = {"statefulset:", "statefulset:Photos", "statefulset:-", "statefulset:a.b", "statefulset: a"})
    void theNameIsOneThatKubernetesAllows(String worker) {
        assertThatThrownBy(() -> worker(worker, "photos-3"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A setting has a value that is not allowed: distributedid.snowflake.worker="
                        + worker + ", allowed: statefulset:<name of the StatefulSet>, as in statefulset:photos");
    }

    private static Worker worker(String worker, String hostName) {
        Settings settings = Settings.of(Map.of("distributedid.snowflake.worker", worker));
        IdLayout layout = LayoutParser.of(settings, NOW);
        SettableClock clock = new SettableClock(NOW);
        return new WorkerRegistry(clock, Snowflakes.jvm(), () -> hostName, Optional.empty())
                .of(
                        new Sequence("photos", Long.MAX_VALUE, "Photo.id", settings),
                        layout,
                        FixedFields.of(settings, layout));
    }
}

package io.distributedid.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIdSettings;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SnowflakeSettingsTest {

    @Test
    void aMissingWorkerNumberIsRefusedAndNeverGuessed() {
        assertThatThrownBy(() -> open(Map.of()).next("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "A setting is missing: distributedid.snowflake.worker, allowed: a number from 0 to 1023. It must"
                                + " differ between all processes and persistence units that run at the same time, so it is never"
                                + " guessed");
    }

    @Test
    void aWorkerNumberOutOfRangeIsRefused() {
        assertThatThrownBy(() -> open(Map.of("snowflake.worker", "1024")).next("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "A setting has a value that is not allowed: distributedid.snowflake.worker=1024, allowed: a number"
                                + " from 0 to 1023");
    }

    @Test
    void anEpochInTheFutureIsRefused() {
        assertThatThrownBy(() -> open(Map.of("snowflake.worker", "3", "snowflake.epoch", "2999-01-01T00:00:00Z"))
                        .next("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        "A setting has a value that is not allowed: distributedid.snowflake.epoch="
                                + "2999-01-01T00:00:00Z, allowed: an instant in the past; with this one the layout lasts until 3068");
    }

    @Test
    void anUnknownLayoutIsRefused() {
        assertThatThrownBy(() -> open(Map.of("snowflake.worker", "3", "snowflake.layout", "twitter"))
                        .next("photos"))
                .hasMessage(
                        "A setting has a value that is not allowed: distributedid.snowflake.layout=twitter, allowed:"
                                + " snowflake");
    }

    @Test
    void oneWorkerNumberIsGivenOnceInAProcessUntilItIsGivenBack() {
        Map<String, String> worker = Map.of("snowflake.worker", "4");
        long before;
        try (DistributedIds first = open(worker);
                DistributedIds second = open(worker)) {
            before = first.next("photos");

            assertThatThrownBy(() -> second.next("users"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("Two generators in one process must not have the same worker number:"
                            + " distributedid.snowflake.worker=4. Give each persistence unit its own number");
        }
        try (DistributedIds again = open(worker)) {
            assertThat(again.next("photos")).isGreaterThan(before);
        }
    }

    @Test
    void theEpochCanBeChosen() {
        Map<String, String> settings = Map.of("snowflake.worker", "5", "snowflake.epoch", "2020-01-01T00:00:00Z");
        try (DistributedIds ids = open(settings)) {
            long id = ids.next("photos");

            assertThat(ids.decode("photos", id).toString()).contains("worker=5, sequence=");
            assertThat(id >>> 22).isGreaterThan(180_000_000_000L);
        }
    }

    private static DistributedIds open(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(DistributedIdSettings.BACKEND, "snowflake"));
        more.forEach((name, value) -> settings.put(DistributedIdSettings.PREFIX + name, value));
        return DistributedIds.create(settings);
    }
}

package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Setting;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SnowflakeSettingsTest {

    @Test
    void aMissingWorkerNumberIsRefusedAndNeverGuessed() {
        assertThatThrownBy(() -> open(Map.of()).next("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting is missing: distributedid.snowflake.worker, allowed: a number from 0 to 1023. It"
                        + " must differ between all processes and persistence units that run at the same time, so it is"
                        + " never guessed; lease takes a free number from a database or ZooKeeper");
    }

    @Test
    void aWorkerNumberOutOfRangeIsRefused() {
        assertThatThrownBy(() -> open(Map.of("snowflake.worker", "1024")).next("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: distributedid.snowflake.worker=1024, allowed: a"
                        + " number"
                        + " from 0 to 1023");
    }

    /** Snowflake reserves no blocks, but a wrong value of their settings is a mistake all the same. */
    @Test
    void settingsOfBlocksAreCheckedAtTheStartToo() {
        assertThatThrownBy(() -> open(Map.of("snowflake.worker", "3", "block.max", "0")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: distributedid.block.max=0, allowed: a number"
                        + " from 1 to 10000000");
        assertThatThrownBy(() -> open(Map.of("snowflake.worker", "3", "seq.photos.block.timeout", "never")))
                .hasMessageStartingWith(
                        "A setting has a value that is not allowed: distributedid.seq.photos.block.timeout=never");
    }

    @Test
    void anEpochInTheFutureIsRefused() {
        assertThatThrownBy(() -> open(Map.of("snowflake.worker", "3", "snowflake.epoch", "2999-01-01T00:00:00Z"))
                        .next("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A setting has a value that is not allowed: distributedid.snowflake.epoch="
                        + "2999-01-01T00:00:00Z, allowed: an instant in the past; with this one the layout"
                        + " lasts until 3068");
    }

    @Test
    void anUnknownLayoutIsRefused() {
        assertThatThrownBy(() -> open(Map.of("snowflake.worker", "3", "snowflake.layout", "twitter"))
                        .next("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        "A setting has a value that is not allowed: distributedid.snowflake.layout=twitter, allowed:"
                                + " snowflake, data_centre_business, seconds, baidu, instagram, sharded, js53,"
                                + " strict, or fields as in time(ms):41, ");
    }

    @Test
    void everyFieldOfTheLayoutMustBeSet() {
        assertThatThrownBy(() -> open(Map.of("snowflake.layout", "data_centre_business", "snowflake.data_centre", "5"))
                        .next("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "A setting is missing: distributedid.snowflake.business, allowed: a number from 0 to 63. The"
                                + " layout has"
                                + " this field, and its value is never guessed: time(ms):41, data_centre:6,"
                                + " business:6, sequence:10 from"
                                + " 2024-01-01T00:00:00Z until 2093");
    }

    @Test
    void aValueMustFitItsField() {
        Map<String, String> settings = Map.of(
                "snowflake.layout",
                "data_centre_business",
                "snowflake.data_centre",
                "5",
                "seq.photos.snowflake.business",
                "64");
        assertThatThrownBy(() -> open(settings).next("photos"))
                .hasMessage("A setting has a value that is not allowed: distributedid.seq.photos.snowflake.business=64,"
                        + " allowed:"
                        + " a number from 0 to 63");
    }

    @Test
    void aValueForAFieldThatTheLayoutLacksIsRefused() {
        assertThatThrownBy(() -> open(Map.of("snowflake.worker", "3", "snowflake.business", "2"))
                        .next("photos"))
                .hasMessage("A setting has a value that is not allowed: distributedid.snowflake.business=2, allowed:"
                        + " nothing, since"
                        + " the layout has no such field: time(ms):41, worker:10, sequence:12 from"
                        + " 2024-01-01T00:00:00Z until"
                        + " 2093");
        assertThatThrownBy(() -> open(Map.of(
                                "snowflake.layout", "instagram", "snowflake.shard", "3", "snowflake.worker", "1"))
                        .next("photos"))
                .hasMessageContaining(
                        "distributedid.snowflake.worker=1, allowed: nothing, since the layout has no such field");
    }

    @Test
    void eachSequenceHasItsBusiness() {
        Map<String, String> settings = Map.of(
                "snowflake.layout", "data_centre_business",
                "snowflake.data_centre", "6",
                "seq.photos.snowflake.business", "1",
                "seq.orders.snowflake.business", "2");
        try (DistributedIds ids = open(settings)) {
            assertThat(ids.decode("photos", ids.next("photos")).fields())
                    .containsEntry("data_centre", 6L)
                    .containsEntry("business", 1L);
            assertThat(ids.decode("orders", ids.next("orders")).field("business"))
                    .isEqualTo(2);
        }
    }

    @Test
    void aLayoutWithoutAWorkerIsTakenOnceInAProcessWithTheSameNumbers() {
        Map<String, String> settings = Map.of(
                "snowflake.layout", "data_centre_business", "snowflake.data_centre", "7", "snowflake.business", "1");
        Map<String, String> other = Map.of(
                "snowflake.layout", "data_centre_business", "snowflake.data_centre", "7", "snowflake.business", "2");
        try (DistributedIds first = open(settings);
                DistributedIds second = open(other);
                DistributedIds third = open(settings)) {
            first.next("photos");
            second.next("photos");

            assertThatThrownBy(() -> third.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("Two generators in one process must not have the same worker number:"
                            + " distributedid.snowflake.data_centre=7 distributedid.snowflake.business=1."
                            + " Give each persistence unit its own number"
                            + "; in tests, where several contexts stay open, set distributedid.backend=memory");
        }
    }

    @Test
    void oneWorkerNumberIsFreeInEachDataCentre() {
        String layout = "time:41, data_centre:4, worker:6, sequence:12";
        try (DistributedIds first = open(
                        Map.of("snowflake.layout", layout, "snowflake.data_centre", "1", "snowflake.worker", "9"));
                DistributedIds second = open(
                        Map.of("snowflake.layout", layout, "snowflake.data_centre", "2", "snowflake.worker", "9"))) {
            assertThat(first.next("photos")).isNotEqualTo(second.next("photos"));
        }
    }

    @Test
    void aLayoutThatIsSmallEnoughFitsAnInteger() {
        Map<String, String> small =
                Map.of("snowflake.layout", "time(s):27, worker:2, sequence:2", "snowflake.worker", "1");
        try (DistributedIds ids = open(small)) {
            assertThat(ids.sequence("photos", Integer.MAX_VALUE, "Photo.id").next())
                    .isBetween(1L, (long) Integer.MAX_VALUE);
        }
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
                            + " distributedid.snowflake.worker=4. Give each persistence unit its own number"
                            + "; in tests, where several contexts stay open, set distributedid.backend=memory");
        }
        try (DistributedIds again = open(worker)) {
            assertThat(again.next("photos")).isGreaterThan(before);
        }
    }

    @Test
    void oneWorkerNumberIsGivenOnceInAProcessWhateverTheLayout() {
        Map<String, String> now = Map.of("snowflake.worker", "0");
        Map<String, String> later =
                Map.of("snowflake.worker", "0", "snowflake.layout", "time(ms):41, worker:12, sequence:10");
        try (DistributedIds first = open(now);
                DistributedIds second = open(later)) {
            Set<Long> taken = new HashSet<>();

            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100_000; i++) {
                            taken.add(first.next("photos"));
                            taken.add(second.next("photos"));
                        }
                        throw new AssertionError(200_000 - taken.size() + " ids were given twice");
                    })
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("Two generators in one process must not have the same worker number:"
                            + " distributedid.snowflake.worker=0. Give each persistence unit its own number"
                            + "; in tests, where several contexts stay open, set distributedid.backend=memory");
        }
    }

    @Test
    void sequencesOfSeveralLayoutsShareANumber() {
        Map<String, String> settings = Map.of(
                "snowflake.worker",
                "2",
                "seq.orders.snowflake.layout",
                "time:41, data_centre:3, worker:6, sequence:13",
                "seq.users.snowflake.layout",
                "seconds",
                "seq.orders.snowflake.data_centre",
                "0");
        try (DistributedIds ids = open(settings)) {
            assertThat(List.of(
                            ids.decode("photos", ids.next("photos")).field("worker"),
                            ids.decode("orders", ids.next("orders")).field("worker"),
                            ids.decode("users", ids.next("users")).field("worker")))
                    .containsOnly(2L);
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
        Map<String, String> settings = new HashMap<>(Map.of("distributedid.backend", "snowflake"));
        more.forEach((name, value) -> settings.put(Setting.PREFIX + name, value));
        return DistributedIds.create(settings);
    }
}

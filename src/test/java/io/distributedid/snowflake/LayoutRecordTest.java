package io.distributedid.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that lease from one store must make the ids of a sequence alike, or they make the same ones. */
class LayoutRecordTest {

    private static final String URL = "jdbc:h2:mem:layouts;DB_CLOSE_DELAY=-1";

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("layouts");
    }

    @ParameterizedTest
    @CsvSource({
        "lease, snowflake.layout, 'time(ms):41, worker:12, sequence:10'",
        "lease, seq.photos.snowflake.layout, 'time(ms):41, worker:11, sequence:11'",
        "lease, snowflake.epoch, 2024-01-01T00:00:00.005Z",
        "burnt, snowflake.layout, 'time(ms):41, worker:12, sequence:10'"
    })
    void anotherLayoutOrEpochIsRefusedWhileTheOldOneIsRecorded(String worker, String name, String value) {
        try (DistributedIds old = open(worker, Map.of());
                DistributedIds other = open(worker, Map.of(name, value))) {
            old.next("photos");

            assertThatThrownBy(() -> other.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(
                            "A sequence must keep its layout and epoch, or different processes make the same ids: seq=photos layout=")
                    .hasMessageContaining("records time(ms):41, worker:10, sequence:12 from 2024-01-01T00:00:00Z. Set");
        }
        try (DistributedIds later = open(worker, Map.of(name, value))) {
            assertThatThrownBy(() -> later.next("photos")).isInstanceOf(IdConfigurationException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lease", "burnt"})
    void eachSequenceHasALayoutOfItsOwn(String worker) {
        Map<String, String> users = Map.of("seq.users.snowflake.layout", "seconds");
        try (DistributedIds ids = open(worker, users);
                DistributedIds others = open(worker, users)) {
            assertThat(ids.next("photos")).isNotEqualTo(others.next("photos"));
            assertThat(ids.next("users")).isNotEqualTo(others.next("users"));
        }
    }

    @Test
    void theSameLayoutInOtherWordsIsTheSame() {
        try (DistributedIds ids = open("lease", Map.of());
                DistributedIds others = open(
                        "lease",
                        Map.of(
                                "snowflake.layout",
                                "TIME:41,worker:10,  sequence:12",
                                "snowflake.epoch",
                                "2024-01-01T00:00:00.000Z"))) {
            assertThat(ids.next("photos")).isNotEqualTo(others.next("photos"));
        }
    }

    private static DistributedIds open(String worker, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "distributedid.backend",
                "snowflake",
                "distributedid.snowflake.worker",
                worker,
                "distributedid.snowflake.lease.server",
                URL,
                "distributedid.snowflake.lease.create_table",
                "true"));
        more.forEach((name, value) -> settings.put("distributedid." + name, value));
        return DistributedIds.create(settings);
    }
}

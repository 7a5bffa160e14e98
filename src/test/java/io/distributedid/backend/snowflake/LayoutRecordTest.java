package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.H2Servers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that lease from one store must use the same layout for a sequence, or they make duplicate ids. */
@Tag("slow")
class LayoutRecordTest {

    private static final String OLD = "time(ms):41, worker:10, sequence:12 from 2024-01-01T00:00:00Z";

    private static final String NEW = "time(ms):41, worker:12, sequence:10 from 2024-01-01T00:00:00Z";

    private static final Map<String, String> WIDE = Map.of("snowflake.layout", "time(ms):41, worker:12, sequence:10");

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
        "single_use, snowflake.layout, 'time(ms):41, worker:12, sequence:10'"
    })
    void anotherLayoutOrEpochIsRefusedWhileTheOldOneIsRecorded(String worker, String name, String value) {
        try (DistributedIds old = open(worker, Map.of());
                DistributedIds other = open(worker, Map.of(name, value))) {
            old.next("photos");

            assertThatThrownBy(() -> other.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(
                            "A sequence must keep its layout and epoch, or different processes make the same ids:"
                                    + " seq=photos layout=")
                    .hasMessageContaining("records time(ms):41, worker:10, sequence:12 from 2024-01-01T00:00:00Z. Set");
        }
        try (DistributedIds later = open(worker, Map.of(name, value))) {
            assertThatThrownBy(() -> later.next("photos")).isInstanceOf(IdConfigurationException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lease", "single_use"})
    void eachSequenceHasALayoutOfItsOwn(String worker) {
        Map<String, String> users = Map.of("seq.users.snowflake.layout", "seconds");
        try (DistributedIds ids = open(worker, users);
                DistributedIds others = open(worker, users)) {
            assertThat(ids.next("photos")).isNotEqualTo(others.next("photos"));
            assertThat(ids.next("users")).isNotEqualTo(others.next("users"));
        }
    }

    @Test
    void theLayoutIsChangedOnceNobodyMakesIdsWithTheOldOne() {
        long last;
        try (DistributedIds old = open("lease", Map.of());
                DistributedIds tool = open("lease", WIDE)) {
            last = old.next("photos");

            assertThatThrownBy(() -> tool.admin().changeLayout("photos", false))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(
                            "A process runs, or was killed a moment ago: distributedid on jdbc:h2:mem:layouts,"
                                    + " @worker/");
            assertThat(old.next("photos")).isPositive();
        }
        try (DistributedIds tool = open("lease", WIDE)) {
            assertThat(tool.admin().changeLayout("photos", false)).isEqualTo(OLD);
            assertThat(tool.admin().changeLayout("photos", false)).as("again").isEqualTo(NEW);
            assertThat(tool.next("photos")).isGreaterThan(last);
        }
        try (DistributedIds old = open("lease", Map.of())) {
            assertThatThrownBy(() -> old.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("records " + NEW);
        }
    }

    @Test
    void aBurntNumberHasNoEndUnlessAnOperatorSaysSo() {
        try (DistributedIds old = open("single_use", Map.of())) {
            old.next("photos");
        }
        try (DistributedIds tool = open("single_use", WIDE)) {
            assertThatThrownBy(() -> tool.admin().changeLayout("photos", false))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageEndingWith(
                            "Once all their owners are stopped, add --all-stopped" + Pages.onCall("single-use"));
            assertThat(tool.admin().changeLayout("photos", true)).isEqualTo(OLD);
        }
    }

    @Test
    void aLayoutWithSmallerIdsIsRefusedWithAnEpochThatFits() {
        long last;
        try (DistributedIds old = open("lease", Map.of())) {
            last = old.next("photos");
        }
        try (DistributedIds tool = open("lease", Map.of("snowflake.epoch", "2024-02-01T00:00:00Z"))) {
            assertThatThrownBy(() -> tool.admin().changeLayout("photos", false))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(
                            "All ids of the new layout must be larger than those of the old one: seq=photos")
                    .hasMessageContainingAll("Set distributedid.snowflake.epoch=20", " or earlier");
        }
        Map<String, String> fits = Map.of("snowflake.epoch", "2023-12-31T00:00:00Z");
        try (DistributedIds tool = open("lease", fits)) {
            assertThat(tool.admin().changeLayout("photos", false)).isEqualTo(OLD);
            assertThat(tool.next("photos")).isGreaterThan(last);
        }
    }

    @Test
    void aChangeThatWasInterruptedLetsNobodyStartAndIsRepeated() throws SQLException {
        try (DistributedIds old = open("lease", Map.of())) {
            old.next("photos");
        }
        try (Connection connection = DriverManager.getConnection(URL);
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE distributedid SET version = '99-x', state = 'CLOSED' WHERE name = '@store'");
        }
        try (DistributedIds old = open("lease", Map.of())) {
            assertThatThrownBy(() -> old.next("photos"))
                    .hasMessageContaining("A command has closed the store of leases, and has not ended yet");
        }
        try (DistributedIds tool = open("lease", WIDE)) {
            assertThat(tool.admin().changeLayout("photos", false)).isEqualTo(OLD);
            assertThat(tool.next("photos")).isPositive();
        }
    }

    @Test
    void aStateFileRemembersTheLayoutToo(@TempDir Path folder) {
        Map<String, String> file =
                Map.of("snowflake.state_file", folder.resolve("worker-7").toString());
        Map<String, String> wide = new HashMap<>(file);
        wide.putAll(WIDE);
        long last;
        try (DistributedIds ids = open("7", file)) {
            last = ids.next("photos");
        }
        try (DistributedIds ids = open("7", wide)) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("records " + OLD);
        }
        try (DistributedIds ids = open("7", wide)) {
            assertThat(ids.admin().changeLayout("photos", false)).isEqualTo(OLD);
            assertThat(ids.next("photos")).isGreaterThan(last);
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
                "distributedid.snowflake.lease.window",
                "1s",
                "distributedid.create_tables",
                "true"));
        if (more.containsKey("snowflake.state_file")) {
            settings.keySet().removeIf(name -> name.startsWith("distributedid.snowflake.lease."));
        }
        more.forEach((name, value) -> settings.put("distributedid." + name, value));
        return DistributedIds.create(settings);
    }
}

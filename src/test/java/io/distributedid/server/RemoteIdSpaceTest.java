package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A database remembers the same of a sequence, whether its application leases worker numbers or asks a service. */
class RemoteIdSpaceTest {

    private static final String DATABASE = "jdbc:h2:mem:space_app;DB_CLOSE_DELAY=-1";

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("space_app", "space_one", "space_two");
    }

    private static Map<String, Object> leasing(String store, int dataCentre) {
        return Map.of(
                "backend",
                "snowflake",
                "snowflake.layout",
                "time(ms):41, data_centre:3, worker:7, sequence:12",
                "snowflake.data_centre",
                dataCentre,
                "snowflake.worker",
                "lease",
                "snowflake.lease.server",
                "jdbc:h2:mem:" + store + ";DB_CLOSE_DELAY=-1",
                "create_tables",
                true);
    }

    private static long next(Map<String, Object> settings) {
        Map<String, Object> full = settings.entrySet().stream()
                .collect(Collectors.toMap(each -> "distributedid." + each.getKey(), Map.Entry::getValue));
        try (DistributedIds ids = DistributedIds.builder()
                .settings(full)
                .applicationDatabase(new JdbcUrl(DATABASE, new Properties()))
                .build()) {
            return ids.next("photos");
        }
    }

    private static long nextOf(RunningServer service) {
        return next(Map.of(
                "backend",
                "remote",
                "remote.servers",
                "http://127.0.0.1:" + service.port(),
                "timeout",
                "30s",
                "block.timeout",
                "1m"));
    }

    private static RunningServer serving(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("server.sequences", "photos");
        return RunningServer.with(all);
    }

    @Test
    void aServiceWithAnotherStoreForTheSameFieldsIsRefused() {
        next(leasing("space_one", 1));
        try (RunningServer service = serving(leasing("space_two", 1))) {
            assertThatThrownBy(() -> nextOf(service))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("A sequence takes its ids from a different place than before: seq=photos");
        }
        try (RunningServer service = serving(leasing("space_one", 1))) {
            assertThat(nextOf(service)).isPositive();
        }
    }

    @Test
    void servicesOfTwoDataCentresMayShareTheDatabase() throws SQLException {
        try (RunningServer one = serving(leasing("space_one", 1));
                RunningServer two = serving(leasing("space_two", 2))) {
            assertThat(List.of(nextOf(one), nextOf(two), nextOf(one))).doesNotHaveDuplicates();
        }
        assertThat(DatabaseRows.rows(
                        DATABASE, "SELECT name FROM distributedid WHERE name LIKE '@place/%' ORDER BY name"))
                .containsExactly("@place/photos/data_centre=1", "@place/photos/data_centre=2");
    }
}

package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The servers are down when the application starts, and come up a moment later, or do not. */
@Needs(Need.MYSQL)
class LateServerTest {

    private static MySqlServer first;

    private static MySqlServer second;

    /** Where ids come from. */
    enum Source {
        LEASE(Map.of(
                "backend", "snowflake",
                "snowflake.worker", "lease",
                "snowflake.lease.server", "FIRST",
                "create_tables", "true")),
        FIXED_NUMBER(Map.of(
                "backend", "snowflake",
                "snowflake.worker", "7",
                "snowflake.lease.server", "FIRST",
                "snowflake.lease.table", "fixed_number",
                "create_tables", "true")),
        TICKET(Map.of("backend", "ticket", "ticket.servers", "FIRST, SECOND", "create_tables", "true")),
        SEQUENCE_TABLE(Map.of(
                "backend", "sequence_table",
                "sequence_table.servers", "FIRST, SECOND",
                "create_tables", "true"));

        final Map<String, String> settings;

        Source(Map<String, String> settings) {
            this.settings = settings;
        }
    }

    @BeforeAll
    static void start() {
        first = MySqlServers.odd();
        second = MySqlServers.even();
    }

    @AfterEach
    void up() {
        for (MySqlServer server : List.of(first, second)) {
            if (!server.isRunning()) {
                server.restart();
            }
        }
    }

    @Test
    void aStartSucceedsWhoseServersComeUpAMomentLater() throws Exception {
        first.kill9();
        second.kill9();
        Map<DistributedIds, Future<Long>> all = new HashMap<>();
        ExecutorService callers = Executors.newCachedThreadPool();
        try {
            for (Source source : Source.values()) {
                DistributedIds ids = open(source, "60s");
                all.put(ids, callers.submit(() -> ids.next("photos")));
            }
            all.forEach((ids, id) -> awaitReason(ids, "the sequence could not be opened: ", id));
            first.restart();
            second.restart();

            for (Map.Entry<DistributedIds, Future<Long>> each : all.entrySet()) {
                assertThat(each.getValue().get(60, TimeUnit.SECONDS)).isPositive();
                assertThat(each.getKey().next("photos")).isPositive();
            }
        } finally {
            all.keySet().forEach(DistributedIds::close);
            callers.shutdownNow();
        }
    }

    @Test
    void aStartWhoseServersStayDownFailsWithWhatTheySaid() {
        first.kill9();
        second.kill9();
        for (Source source : Source.values()) {
            try (DistributedIds ids = open(source, "1500ms")) {
                assertThatThrownBy(() -> ids.next("photos"))
                        .as("%s", source)
                        .isInstanceOf(IdUnavailableException.class)
                        .hasMessageContaining("127.0.0.1:" + first.port())
                        .hasMessageContaining("said: ")
                        .hasStackTraceContaining("Connection refused");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEASE", "TICKET", "SEQUENCE_TABLE"})
    void aWrongPasswordIsToldAtOnce(Source source) {
        Map<String, String> wrong = new HashMap<>();
        source.settings.forEach((name, value) -> wrong.put(name, value.replace("user=root", "user=nobody")));
        try (DistributedIds ids = open(wrong, "10m", "user=nobody&password=wrong")) {
            assertThatThrownBy(() -> ids.next("photos")).hasMessageContaining("Access denied");
        }
    }

    /** While the id is waited for. */
    private static void awaitReason(DistributedIds ids, String reason, Future<Long> id) {
        Await.until(
                "the health says: " + reason,
                () -> {
                    assertThat(id).as("waits").isNotDone();
                    return ids.health().sequences().stream()
                            .anyMatch(sequence -> sequence.reason().contains(reason));
                },
                ids::health);
    }

    private static DistributedIds open(Source source, String timeout) {
        return open(source.settings, timeout);
    }

    private static DistributedIds open(Map<String, String> settings, String timeout) {
        return open(settings, timeout, "user=root&password=");
    }

    private static DistributedIds open(Map<String, String> settings, String timeout, String user) {
        Map<String, String> all = new HashMap<>();
        all.put("distributedid.block.timeout", timeout);
        settings.forEach((name, value) -> all.put(
                "distributedid." + name,
                value.replace("FIRST", url(first, user)).replace("SECOND", url(second, user))));
        return DistributedIds.create(all);
    }

    private static String url(MySqlServer server, String user) {
        return server.jdbcUrl("late").replace("user=root&password=", user);
    }
}

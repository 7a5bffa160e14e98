package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdHealth.SequenceHealth;
import io.distributedid.IdHealth.Status;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Statistics and health of sequences on real servers. */
@Tag("slow")
class StatisticsTest {

    private static final Map<String, String> WORKER_5 =
            Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", "5");

    private H2Servers first;

    private H2Servers second;

    @BeforeEach
    void start() throws SQLException {
        H2Servers.drop("odd", "even", "stat_lease");
        first = H2Servers.start();
        second = H2Servers.start();
    }

    @AfterEach
    void stop() {
        first.close();
        second.close();
    }

    @Test
    void aPairOfTicketServers() {
        try (DistributedIds ids = tickets(Map.of("distributedid.block.max", "1"))) {
            assertThat(ids.sequences()).isEmpty();
            assertThat(ids.statistics("photos")).isEmpty();
            assertThat(ids.health()).isEqualTo(new IdHealth(Status.UP, List.of()));
            assertThat(ids.health("photos")).isEmpty();
            for (int i = 0; i < 3; i++) {
                ids.next("photos");
            }
            ids.next("users");

            assertThat(ids.sequences()).containsExactly("photos", "users");
            SequenceStatistics photos = ids.statistics("photos").orElseThrow();
            assertThat(photos.issued()).isEqualTo(3);
            assertThat(photos.waits()).isEqualTo(3);
            assertThat(photos.waitTime()).isPositive();
            BlockStatistics blocks = photos.blocks().orElseThrow();
            assertThat(blocks.fetched()).isEqualTo(3);
            assertThat(blocks.fetchTime()).isPositive();
            // On a busy machine the other server may be asked for an id, too.
            List<ServerStatistics> servers = photos.servers();
            long odd = servers.get(0).counter().orElseThrow();
            long even = servers.get(1).counter().orElseThrow();
            assertThat(servers)
                    .containsExactly(
                            server(first, "odd", servers.get(0).fetches(), OptionalLong.of(odd)),
                            server(second, "even", servers.get(1).fetches(), OptionalLong.of(even)));
            assertThat(servers.get(0).fetches() + servers.get(1).fetches()).isGreaterThanOrEqualTo(3);
            // A ticket of one id is a number of a block of ten.
            assertThat(List.of(odd % 10, even % 10)).containsExactly(1L, 2L);
            assertThat(photos.distance()).hasValue(Math.abs(odd - even));
            assertThat(photos.worker()).isEmpty();
            assertThat(ids.health().toString()).isEqualTo("photos UP\nusers UP");
        }
    }

    private static ServerStatistics server(H2Servers of, String database, long fetches, OptionalLong counter) {
        return new ServerStatistics(label(of, database), fetches, 0, 0, counter, Optional.empty());
    }

    private static String label(H2Servers of, String database) {
        return of.url(database).split(";", 2)[0];
    }

    @Test
    void aServerThatIsOutDegradesAndNoneThatAnswersIsTheEnd() {
        Map<String, String> settings = Map.of(
                "distributedid.block.max", "1",
                "distributedid.block.timeout", "2s",
                "distributedid.timeout", "1s");
        try (DistributedIds ids = tickets(settings)) {
            ids.next("photos");
            second.close();
            Await.until("the second server is out", () -> {
                ids.next("photos");
                return ids.statistics("photos").orElseThrow().servers().get(1).failures() > 0;
            });

            SequenceStatistics before = ids.statistics("photos").orElseThrow();
            ServerStatistics out = before.servers().get(1);
            assertThat(out.failures()).isEqualTo(1);
            assertThat(out.failovers()).isEqualTo(1);
            assertThat(out.failure()).isPresent();
            SequenceHealth degraded = ids.health().sequences().get(0);
            assertThat(degraded.status()).isEqualTo(Status.DEGRADED);
            assertThat(degraded.reason())
                    .startsWith(label(second, "even") + " is left out: ")
                    .doesNotContain("\n");
            assertThat(ids.health("photos")).hasValue(degraded);

            first.close();
            assertThatThrownBy(() -> ids.next("photos")).isInstanceOf(IdUnavailableException.class);
            assertThat(ids.health().status()).isEqualTo(Status.DOWN);
            assertThat(ids.health().toString())
                    .startsWith(
                            "photos DOWN: the last fetch failed and 0 ids are left: No server gives ids; jdbc:h2:tcp:");
            assertThat(ids.statistics("photos").orElseThrow().issued()).isEqualTo(before.issued());
        }
    }

    /** A DOWN application that gets no more traffic recovers without a call for an id. */
    @Test
    void whoIsDownGetsWellAgainWithoutCalls() throws SQLException {
        H2Servers.drop("odd");
        Map<String, String> settings = Map.of(
                "distributedid.backend", "sequence_table",
                "distributedid.sequence_table.servers", "jdbc:h2:mem:odd;DB_CLOSE_DELAY=-1",
                "distributedid.block.max", "1",
                "distributedid.block.timeout", "2s");
        for (String statement : IdAdmin.ddl(settings, "h2")) {
            execute(statement);
        }
        try (DistributedIds ids = DistributedIds.create(settings)) {
            ids.next("photos");
            execute("ALTER TABLE sequence RENAME TO hidden");
            assertThatThrownBy(() -> ids.next("photos")).isInstanceOf(DistributedIdException.class);
            assertThat(ids.health().status()).isEqualTo(Status.DOWN);
            execute("ALTER TABLE hidden RENAME TO sequence");

            Await.until("the health is UP", () -> ids.health().status() == Status.UP, ids::health);
            assertThat(ids.next("photos")).isGreaterThan(1);
        }
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:odd;DB_CLOSE_DELAY=-1");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void aSequenceThatCouldNotBeOpenedIsDown() {
        String odd = first.url("odd");
        first.close();
        Map<String, String> settings = Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.servers", odd,
                "distributedid.timeout", "1s",
                "distributedid.block.timeout", "100ms");
        try (DistributedIds ids = DistributedIds.create(settings)) {
            assertThatThrownBy(() -> ids.next("photos")).isInstanceOf(IdUnavailableException.class);

            assertThat(ids.sequences()).isEmpty();
            assertThat(ids.health().status()).isEqualTo(Status.DOWN);
            assertThat(ids.health().toString())
                    .startsWith("photos DOWN: the sequence could not be opened: No server gives ids; jdbc:h2:tcp:");
        }
    }

    @Test
    void aFixedWorkerNumber() {
        DistributedIds ids = DistributedIds.create(WORKER_5);
        try (ids) {
            for (int i = 0; i < 1_000; i++) {
                ids.next("photos");
            }

            SequenceStatistics photos = ids.statistics("photos").orElseThrow();
            assertThat(photos.issued()).isEqualTo(1_000);
            assertThat(photos.blocks()).isEmpty();
            assertThat(photos.servers()).isEmpty();
            WorkerStatistics worker = photos.worker().orElseThrow();
            assertThat(worker.number()).isEqualTo(5);
            assertThat(worker.until()).isEmpty();
            assertThat(worker.left()).isEmpty();
            assertThat(worker.clockOffset()).isEmpty();
            assertThat(ids.health().status()).isEqualTo(Status.UP);
        }
        assertThat(ids.statistics("photos").orElseThrow().issued()).isEqualTo(1_000);
        assertThat(ids.health().toString()).isEqualTo("photos DOWN: the source of ids is closed");
    }

    @Test
    void aLeasedWorkerNumber() {
        Map<String, String> settings = Map.of(
                "distributedid.backend",
                "snowflake",
                "distributedid.snowflake.worker",
                "lease",
                "distributedid.snowflake.lease.server",
                "jdbc:h2:mem:stat_lease;DB_CLOSE_DELAY=-1",
                "distributedid.create_tables",
                "true");
        try (DistributedIds ids = DistributedIds.create(settings)) {
            ids.next("photos");

            WorkerStatistics worker =
                    ids.statistics("photos").orElseThrow().worker().orElseThrow();
            assertThat(worker.number()).isZero();
            assertThat(worker.until()).isPresent();
            assertThat(worker.left().orElseThrow()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(60));
            assertThat(worker.clockOffset().orElseThrow()).isBetween(Duration.ofSeconds(-5), Duration.ofSeconds(5));
            assertThat(worker.failure()).isEmpty();
        }
    }

    @Test
    void aListenerHearsOfWhatIsOpenAndOfTheEnd() {
        List<String> heard = new ArrayList<>();
        SequenceListener listener = new SequenceListener() {
            @Override
            public void opened(String sequence) {
                heard.add(sequence);
            }

            @Override
            public void closed() {
                heard.add("end");
            }
        };
        Map<String, String> settings = new HashMap<>(WORKER_5);
        settings.put("distributedid.snowflake.worker", "6");
        try (DistributedIds ids = DistributedIds.create(settings)) {
            ids.next("users");
            ids.next("photos");
            ids.addListener(listener);
            assertThat(heard).containsExactly("photos", "users");
            ids.addListener(sequence -> {
                if (sequence.equals("comments")) {
                    throw new IllegalStateException("deaf");
                }
            });
            assertThat(ids.next("comments")).isPositive();
        }
        assertThat(heard).containsExactly("photos", "users", "comments", "end");
    }

    private DistributedIds tickets(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.servers", first.url("odd") + "," + second.url("even"),
                "distributedid.ticket.numbering", "client",
                "distributedid.create_tables", "true"));
        settings.putAll(more);
        return DistributedIds.create(settings);
    }
}

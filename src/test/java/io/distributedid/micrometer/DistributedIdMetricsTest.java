package io.distributedid.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdHealth;
import io.distributedid.IdUnavailableException;
import io.distributedid.hibernate.DistributedIdService;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.lang.ref.WeakReference;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class DistributedIdMetricsTest {

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    @Entity(name = "Stamp")
    static class Stamp {
        @Id
        @DistributedId(seq = "stamps")
        Integer id;
    }

    private static final Map<String, String> TICKETS = Map.of(
            "distributedid.backend", "ticket",
            "distributedid.ticket.servers",
                    "jdbc:h2:mem:meter1;DB_CLOSE_DELAY=-1, jdbc:h2:mem:meter2;DB_CLOSE_DELAY=-1",
            "distributedid.ticket.numbering", "client",
            "distributedid.create_tables", "true",
            "distributedid.block.max", "1");

    private final MeterRegistry registry = new SimpleMeterRegistry();

    @BeforeEach
    void drop() throws SQLException {
        H2Servers.drop("meter1", "meter2", "meter3");
    }

    @Test
    void blocksAndServersHaveMeters() {
        try (DistributedIds ids = DistributedIds.create(TICKETS)) {
            new DistributedIdMetrics(ids, Tags.of("unit", "main")).bindTo(registry);
            assertThat(registry.getMeters())
                    .extracting(meter -> meter.getId().getName())
                    .containsOnly("distributedid.health");
            for (int i = 0; i < 3; i++) {
                ids.next("photos");
            }

            assertThat(value("issued")).isEqualTo(3);
            assertThat(value("fetch.failures")).isZero();
            assertThat(value("dropped")).isZero();
            assertThat(value("reserve")).isZero();
            Timer fetch = registry.get("distributedid.fetch").timer();
            Await.until("the fetches are timed", () -> fetch.count() == 3);
            assertThat(fetch.totalTime(TimeUnit.NANOSECONDS))
                    .isCloseTo(fetchNanos(ids), Percentage.withPercentage(0.001));
            assertThat(fetch.max(TimeUnit.NANOSECONDS)).isBetween(1.0, fetch.totalTime(TimeUnit.NANOSECONDS));
            assertThat(fetch.getId().getTags())
                    .isEqualTo(Tags.of("unit", "main", "seq", "photos").stream().toList());
            Timer wait = registry.get("distributedid.wait").timer();
            assertThat(wait.count()).isEqualTo(3);
            assertThat(wait.totalTime(TimeUnit.NANOSECONDS))
                    .isEqualTo(ids.statistics("photos").orElseThrow().waitTime().toNanos());
            assertThat(value("server.fetches", "server", "jdbc:h2:mem:meter1")).isEqualTo(2);
            assertThat(value("server.fetches", "server", "jdbc:h2:mem:meter2")).isEqualTo(1);
            assertThat(value("server.failures", "server", "jdbc:h2:mem:meter2")).isZero();
            assertThat(value("server.failovers", "server", "jdbc:h2:mem:meter2"))
                    .isZero();
            assertThat(value("server.up", "server", "jdbc:h2:mem:meter2")).isEqualTo(1);
            assertThat(value("server.last.id", "server", "jdbc:h2:mem:meter2")).isEqualTo(2);
            assertThat(value("distance")).isEqualTo(9);
            assertThat(registry.find("distributedid.worker.number").meter()).isNull();
        }
    }

    private static double fetchNanos(DistributedIds ids) {
        return ids.statistics("photos")
                .orElseThrow()
                .blocks()
                .orElseThrow()
                .fetchTime()
                .toNanos();
    }

    @Test
    void workersHaveMeters() {
        Map<String, String> settings = Map.of(
                "distributedid.backend",
                "snowflake",
                "distributedid.snowflake.worker",
                "lease",
                "distributedid.snowflake.lease.server",
                "jdbc:h2:mem:meter3;DB_CLOSE_DELAY=-1",
                "distributedid.create_tables",
                "true");
        try (DistributedIds ids = DistributedIds.create(settings)) {
            ids.next("photos");
            new DistributedIdMetrics(ids).bindTo(registry);

            assertThat(value("issued")).isEqualTo(1);
            assertThat(value("worker.number")).isZero();
            assertThat(value("worker.window.left")).as("seconds").isBetween(10.0, 60.0);
            assertThat(value("worker.clock.offset")).as("seconds").isBetween(-5.0, 5.0);
            assertThat(registry.find("distributedid.reserve").meter()).isNull();
        }
    }

    @Test
    void aFixedNumberHasNoWindow() {
        Map<String, String> settings =
                Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", "1015");
        try (DistributedIds ids = DistributedIds.create(settings)) {
            new DistributedIdMetrics(ids).bindTo(registry);
            ids.next("photos");

            assertThat(value("worker.number")).isEqualTo(1015);
            assertThat(registry.find("distributedid.worker.window.left").meter())
                    .isNull();
            assertThat(registry.find("distributedid.worker.clock.offset").meter())
                    .isNull();
        }
    }

    /** The layout {@code snowflake} ends on 2093-09-06. */
    @Test
    void theEndOfALayoutIsSeenAYearAhead() {
        assertLayoutEnd("2092-09-06T00:00:00Z", 365.0 + 16.0 / 24, IdHealth.Status.UP);
        assertLayoutEnd("2092-09-07T00:00:00Z", 364.0 + 16.0 / 24, IdHealth.Status.DEGRADED);
    }

    private void assertLayoutEnd(String now, double days, IdHealth.Status status) {
        try (DistributedIds ids = DistributedIds.builder()
                .settings(Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", "1012"))
                .clock(Clock.offset(Clock.systemUTC(), Duration.between(Instant.now(), Instant.parse(now))))
                .build()) {
            new DistributedIdMetrics(ids).bindTo(registry);
            ids.next("photos");

            assertThat(value("layout.left")).isCloseTo(days * 86_400, Offset.offset(3_600.0));
            assertThat(ids.health().status()).isEqualTo(status);
            assertThat(registry.find("distributedid.counter.left").meter()).isNull();
        }
    }

    @Test
    void theEndOfACounterIsSeenWhenATenthIsLeft() {
        try (SessionFactory factory = factory()) {
            DistributedIds ids = DistributedIdService.of(factory).ids();
            new DistributedIdMetrics(ids).bindTo(registry);
            factory.inTransaction(session -> session.persist(new Stamp()));
            assertThat(value("counter.left", "seq", "stamps"))
                    .isBetween(Integer.MAX_VALUE - 1_000.0, Integer.MAX_VALUE - 1.0);
            assertThat(ids.health().toString()).isEqualTo("photos UP\nstamps UP");

            ids.admin().raise("stamps", 2_000_000_000);

            assertThat(value("counter.left", "seq", "stamps")).isBetween(147_480_000.0, 147_483_647.0);
            assertThat(value("counter.left", "seq", "photos")).isGreaterThan(1e18);
            assertThat(ids.health().toString())
                    .startsWith("photos UP\nstamps DEGRADED: only 14748")
                    .endsWith(" ids are left up to 2147483647, the largest that fits: give the ids a wider type");
            assertThat(registry.find("distributedid.layout.left").meter()).isNull();
        }
    }

    @Test
    void theMetersOfASessionFactoryEndWithIt() {
        for (int start = 1; start <= 2; start++) {
            try (SessionFactory factory = factory()) {
                new DistributedIdMetrics(DistributedIdService.of(factory).ids()).bindTo(registry);
                factory.inTransaction(session -> session.persist(new Photo()));

                assertThat(value("issued", "seq", "photos")).isEqualTo(1);
            }
            assertThat(registry.getMeters()).isEmpty();
        }
    }

    @Test
    void aRegistryKeepsNobodyAlive() {
        WeakReference<DistributedIds> forgotten = forgotten();
        Await.until("it is collected", () -> {
            System.gc();
            return forgotten.refersTo(null);
        });

        assertThat(value("worker.number")).isNaN();
        assertThat(value("health", "status", "up")).isNaN();
        assertThat(value("sequence.health", "status", "up")).isNaN();
    }

    /** Bound, used, and never closed. */
    private WeakReference<DistributedIds> forgotten() {
        DistributedIds ids = DistributedIds.create(
                Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", "1014"));
        new DistributedIdMetrics(ids).bindTo(registry);
        ids.next("photos");
        return new WeakReference<>(ids);
    }

    private static SessionFactory factory() {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Photo.class)
                .addAnnotatedClass(Stamp.class)
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:meter3;DB_CLOSE_DELAY=-1")
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("distributedid.backend", "sequence_table");
        return configuration.buildSessionFactory();
    }

    @Test
    void healthIsAStateOfAllAndOfEachSequence() {
        Map<String, String> settings = Map.of(
                "distributedid.backend",
                "ticket",
                "distributedid.ticket.servers",
                "jdbc:h2:mem:meter1;DB_CLOSE_DELAY=-1;IFEXISTS=TRUE",
                "distributedid.block.timeout",
                "10ms",
                "distributedid.seq.users.backend",
                "snowflake",
                "distributedid.seq.users.snowflake.worker",
                "1013");
        DistributedIds ids = DistributedIds.create(settings);
        try (ids) {
            new DistributedIdMetrics(ids).bindTo(registry);
            assertThat(health("health", "up", "degraded", "down")).containsExactly(1.0, 0.0, 0.0);
            ids.next("users");
            assertThatThrownBy(() -> ids.next("photos")).isInstanceOf(IdUnavailableException.class);

            assertThat(health("health", "up", "degraded", "down"))
                    .as("a sequence that can't be opened counts")
                    .containsExactly(0.0, 0.0, 1.0);
            assertThat(health("sequence.health", "up", "degraded", "down")).containsExactly(1.0, 0.0, 0.0);
        }
        assertThat(registry.getMeters()).isEmpty();
        new DistributedIdMetrics(ids).bindTo(registry);
        assertThat(registry.getMeters()).as("of closed ids").isEmpty();
    }

    private List<Double> health(String name, String... statuses) {
        return Arrays.stream(statuses)
                .map(status -> value(name, "status", status))
                .toList();
    }

    private double value(String name, String... tags) {
        Map<String, Double> values = new HashMap<>();
        Meter meter = registry.get("distributedid." + name).tags(tags).meter();
        meter.measure().forEach(each -> values.put(each.getStatistic().name(), each.getValue()));
        assertThat(values).hasSize(1);
        return values.values().iterator().next();
    }
}

package photos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.distributedid.DistributedIds;
import io.distributedid.IdHealth.Status;
import io.distributedid.IdUnavailableException;
import io.distributedid.hibernate.DistributedIdService;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import jakarta.persistence.EntityManagerFactory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;

/** The application as it is, on real servers. */
@Needs(Need.MYSQL)
class PhotoApplicationTest {

    private static PhotoServers servers;

    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start(@TempDir Path folder) {
        servers = PhotoServers.start(folder);
        application = servers.run();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void savesAnAlbumInOneBatch() {
        Statistics statistics = application
                .getBean(EntityManagerFactory.class)
                .unwrap(SessionFactory.class)
                .getStatistics();
        statistics.clear();

        List<Photo> album = application
                .getBean(Uploads.class)
                .upload(IntStream.range(0, 100).mapToObj(Integer::toString).toList());

        assertThat(album).extracting(Photo::getId).doesNotHaveDuplicates().allMatch(id -> id > 0);
        assertThat(statistics.getEntityInsertCount()).isEqualTo(100);
        assertThat(statistics.getPrepareStatementCount())
                .as("one INSERT for all, and no SELECT before it")
                .isEqualTo(1);
        assertThat(application
                        .getBean(PhotoRepository.class)
                        .findById(album.get(99).getId()))
                .hasValueSatisfying(photo -> assertThat(photo.getTitle()).isEqualTo("99"));
    }

    @Test
    void theBeanIsThatOfThePersistenceUnit() {
        assertThat(ids())
                .isSameAs(DistributedIdService.of(application.getBean(EntityManagerFactory.class))
                        .ids());
        assertThat(ids().admin().counters("photos").lastIds()).containsOnlyKeys(tickets1(), tickets2());
    }

    /** The ids are closed before the pools: the worker number goes back. */
    @Test
    void theServersMayBePools() throws SQLException {
        HikariDataSource pool;
        long worker;
        try (ConfigurableApplicationContext other = servers.run(
                "--spring.main.sources=" + TicketPools.class.getName(),
                "--tickets1.jdbc-url=" + servers.tickets1().jdbcUrl("tickets"),
                "--tickets2.jdbc-url=" + servers.tickets2().jdbcUrl("tickets"),
                "--distributedid.seq.photos.ticket.servers=tickets1, tickets2",
                "--spring.jpa.properties.distributedid.seq.comments.snowflake.lease.server=tickets1")) {
            worker = worker(other.getBean(Uploads.class).upload("sunset", "nice"));
            assertThat(other.getBean(DistributedIds.class)
                            .admin()
                            .counters("photos")
                            .lastIds())
                    .containsOnlyKeys("tickets1", "tickets2");
            pool = other.getBean("tickets1", HikariDataSource.class);
        }

        assertThat(pool.isClosed()).isTrue();
        assertThat(reservedAhead("@worker/" + worker)).isNotPositive();
    }

    @Test
    void aStopHandsTheWorkerNumberBackAndClosesEveryConnection() throws SQLException {
        Comment comment = application.getBean(Uploads.class).upload("sunset", "nice");
        assertThat(worker(comment)).isZero();
        assertThat(reservedAhead("@worker/0")).isPositive();
        assertThat(PhotoServers.connections(servers.tickets1(), "tickets")).isPositive();

        application.close();

        assertThat(reservedAhead("@worker/0")).as("of the window of 60 s").isNotPositive();
        Await.until(
                "the servers have ended each connection",
                () -> PhotoServers.connections(servers.tickets1(), "tickets")
                                + PhotoServers.connections(servers.tickets2(), "tickets")
                        == 0);
        assertThat(PhotoServers.connections(servers.database(), "photos")).isZero();

        application = servers.run();

        Comment next = application.getBean(Uploads.class).upload("sunrise", "early");
        assertThat(worker(next)).as("free at once").isZero();
        assertThat(next.getPhotoId()).isNotEqualTo(comment.getPhotoId());
    }

    @Test
    void theActuatorShowsHealthAsAMapForEachSequence() throws IOException, InterruptedException {
        application.getBean(Uploads.class).upload("sunset", "nice");
        Await.until(
                "a server that another test stopped is back",
                () -> ids().health().status() == Status.UP);

        Map<String, Object> health = json(get("health").body(), "components", "distributedId");

        assertThat(health).containsEntry("status", "UP").containsOnlyKeys("status", "details");
        assertThat(json(health, "details")).containsOnlyKeys("comments", "photos");
        Map<String, Object> photos = json(health, "details", "photos");
        assertThat(photos)
                .containsEntry("status", "UP")
                .containsOnlyKeys("status", "issued", "waits", "waitMicros", "blocks", "capacity", "servers");
        assertThat(json(photos, "blocks").get("reserve")).isInstanceOf(Number.class);
        assertThat(json(photos, "capacity")).containsKey("idsLeft");
        assertThat(photos.get("servers"))
                .asInstanceOf(InstanceOfAssertFactories.list(Map.class))
                .extracting(server -> server.get("server"))
                .containsExactlyInAnyOrder(tickets1(), tickets2());
        Map<String, Object> comments = json(health, "details", "comments");
        assertThat(comments).containsEntry("status", "UP").containsKeys("worker", "capacity", "servers");
        assertThat(json(comments, "worker"))
                .containsEntry("number", 0)
                .containsOnlyKeys("number", "windowEnd", "windowLeftMillis", "clockOffsetMillis");
        assertThat(Instant.parse((String) json(comments, "worker").get("windowEnd")))
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(120));
    }

    /** Without an order of statuses in the application's settings. */
    @Test
    void aServerThatIsLeftOutDegradesTheApplicationWhichStaysReady() throws IOException, InterruptedException {
        servers.tickets2().stop();
        try (ConfigurableApplicationContext other = servers.run(
                "--spring.jpa.properties.distributedid.seq.comments.snowflake.worker=8",
                "--distributedid.block.max=1",
                "--management.metrics.distribution.percentiles-histogram.distributedid=true")) {
            DistributedIds ids = other.getBean(DistributedIds.class);
            ids.next("photos");
            ids.next("photos");

            HttpResponse<String> health = get(other, "health");

            assertThat(health.statusCode()).isEqualTo(200);
            assertThat(json(health.body())).containsEntry("status", "DEGRADED");
            Map<String, Object> photos = json(health.body(), "components", "distributedId", "details", "photos");
            assertThat(photos).containsEntry("status", "DEGRADED");
            assertThat((String) photos.get("reason")).startsWith(tickets2() + " is left out: ");
            assertThat(photos.get("servers"))
                    .asInstanceOf(InstanceOfAssertFactories.list(Map.class))
                    .filteredOn(server -> tickets2().equals(server.get("server")))
                    .singleElement()
                    .satisfies(server -> {
                        assertThat(server.get("inUse")).isEqualTo(false);
                        assertThat(server.get("failure")).isNotNull();
                    });
            HttpResponse<String> readiness = get(other, "health/readiness");
            assertThat(readiness.statusCode()).isEqualTo(200);
            assertThat(json(readiness.body())).containsEntry("status", "DEGRADED");
            assertThat(get(other, "prometheus").body())
                    .contains(
                            "\ndistributedid_server_up{seq=\"photos\",server=\"" + tickets2() + "\"} 0.0\n",
                            "\ndistributedid_health{status=\"degraded\"} 1.0\n",
                            "\ndistributedid_fetch_seconds_bucket{seq=\"photos\",le=\"");
        } finally {
            servers.tickets2().restart();
        }
    }

    @Test
    void theActuatorShowsMeters() throws IOException, InterruptedException {
        application.getBean(Uploads.class).upload("sunset", "nice");
        Await.until(
                "a server that another test stopped is back",
                () -> ids().health().status() == Status.UP);

        assertThat(get("metrics/distributedid.issued?tag=seq:photos").body()).contains("\"value\":");
        assertThat(get("metrics/distributedid.worker.number?tag=seq:comments").body())
                .contains("\"value\":0.0");
        assertThat(get("prometheus").body())
                .contains(
                        "\ndistributedid_health{status=\"up\"} ",
                        "\ndistributedid_sequence_health{seq=\"photos\",status=\"up\"} ",
                        "\ndistributedid_issued_ids_total{seq=\"photos\"} ",
                        "\ndistributedid_wait_seconds_count{seq=\"photos\"} ",
                        "\ndistributedid_wait_seconds_max{seq=\"photos\"} ",
                        "\ndistributedid_fetch_seconds_sum{seq=\"photos\"} ",
                        "\ndistributedid_fetch_failures_total{seq=\"photos\"} 0.0\n",
                        "\ndistributedid_reserve_ids{seq=\"photos\"} ",
                        "\ndistributedid_dropped_ids_total{seq=\"photos\"} ",
                        "\ndistributedid_distance_ids{seq=\"photos\"} ",
                        "\ndistributedid_server_up{seq=\"photos\",server=\"" + tickets1() + "\"} ",
                        "\ndistributedid_worker_number{seq=\"comments\"} 0.0\n",
                        "\ndistributedid_worker_window_left_seconds{seq=\"comments\"} ")
                .doesNotContain("_ids_ids", "_seconds_seconds", "_ids_total_total");
    }

    @Test
    void idsThatAreNotToBeHadAreDown() throws IOException, InterruptedException {
        String nobody = "jdbc:mysql://127.0.0.1:1/tickets";
        try (ConfigurableApplicationContext other = servers.run(
                "--distributedid.seq.exports.ticket.servers=" + nobody,
                "--distributedid.seq.exports.block.timeout=1s",
                "--spring.jpa.properties.distributedid.seq.comments.snowflake.worker=7")) {
            DistributedIds ids = other.getBean(DistributedIds.class);
            assertThat(get(other, "health").statusCode()).isEqualTo(200);
            assertThatThrownBy(() -> ids.next("exports")).isInstanceOf(IdUnavailableException.class);

            HttpResponse<String> health = get(other, "health");

            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(json(health.body(), "components", "distributedId", "details", "exports"))
                    .containsEntry("status", "DOWN")
                    .containsKey("reason");
            assertThat(get(other, "health/readiness").statusCode()).isEqualTo(503);
            assertThat(get(other, "health/liveness").statusCode()).isEqualTo(200);
            Comment comment = other.getBean(Uploads.class).upload("sunset", "nice");
            assertThat(ids.decode("comments", comment.getId()).field("worker"))
                    .as("what the persistence unit says itself")
                    .isEqualTo(7);
        }
    }

    private static String tickets1() {
        return PhotoServers.name(servers.tickets1());
    }

    private static String tickets2() {
        return PhotoServers.name(servers.tickets2());
    }

    private static DistributedIds ids() {
        return application.getBean(DistributedIds.class);
    }

    private static long worker(Comment comment) {
        return ids().decode("comments", comment.getId()).field("worker");
    }

    /** In milliseconds by the server's clock. */
    private static long reservedAhead(String row) throws SQLException {
        return PhotoServers.number(
                servers.tickets1(),
                "SELECT number - CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) FROM distributedid WHERE name = '" + row
                        + "'",
                "tickets");
    }

    private static Map<String, Object> json(String text, String... path) {
        return json(JsonParserFactory.getJsonParser().parseMap(text), path);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> json(Map<String, Object> from, String... path) {
        Map<String, Object> inner = from;
        for (String key : path) {
            assertThat(inner).containsKey(key);
            inner = (Map<String, Object>) inner.get(key);
        }
        return inner;
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return get(application, path);
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext from, String path)
            throws IOException, InterruptedException {
        String port = from.getEnvironment().getRequiredProperty("local.server.port");
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/" + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}

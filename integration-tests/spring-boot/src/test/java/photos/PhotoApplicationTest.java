package photos;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.hibernate.DistributedIdService;
import jakarta.persistence.EntityManagerFactory;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** The application as it is, on real servers. */
class PhotoApplicationTest {

    private static PhotoServers servers;

    @BeforeAll
    static void start(@TempDir Path folder) {
        servers = PhotoServers.start(folder);
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    @Test
    void savesWithIdsOfBothServersInOneBatch() {
        try (ConfigurableApplicationContext application = servers.run()) {
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
            assertThat(application
                            .getBean(DistributedIds.class)
                            .counters("photos")
                            .lastIds())
                    .hasSize(2);
        }
    }

    @Test
    void theBeanIsThatOfThePersistenceUnit() {
        try (ConfigurableApplicationContext application = servers.run()) {
            DistributedIds ids = application.getBean(DistributedIds.class);
            assertThat(ids)
                    .isSameAs(DistributedIdService.of(application.getBean(EntityManagerFactory.class))
                            .ids());
            Comment comment = application.getBean(Uploads.class).upload("sunset", "nice");
            assertThat(ids.decode("comments", comment.getId()).field("worker")).isZero();
        }
    }

    @Test
    void aStopHandsTheWorkerNumberBackAndClosesEveryConnection() throws SQLException {
        long photo;
        try (ConfigurableApplicationContext application = servers.run()) {
            Comment comment = application.getBean(Uploads.class).upload("sunset", "nice");
            photo = comment.getPhotoId();
            assertThat(worker(application, comment)).isZero();
            assertThat(reservedAhead()).isPositive();
            assertThat(PhotoServers.connections(servers.tickets1(), "tickets")).isPositive();
        }
        assertThat(reservedAhead()).as("of the window of 60 s").isNotPositive();
        assertThat(PhotoServers.connections(servers.tickets1(), "tickets")).isZero();
        assertThat(PhotoServers.connections(servers.tickets2(), "tickets")).isZero();
        assertThat(PhotoServers.connections(servers.database(), "photos")).isZero();

        try (ConfigurableApplicationContext application = servers.run()) {
            Comment comment = application.getBean(Uploads.class).upload("sunrise", "early");
            assertThat(worker(application, comment)).as("free at once").isZero();
            assertThat(comment.getPhotoId()).isNotEqualTo(photo);
        }
    }

    @Test
    void oneTicketServerIsEnough() {
        try (ConfigurableApplicationContext application = servers.run()) {
            servers.tickets2().stop();
            try {
                application.getBean(DistributedIds.class).raiseAbove("photos", 1_000);
                List<Photo> album = application.getBean(Uploads.class).upload(List.of("a", "b", "c"));
                assertThat(album).extracting(Photo::getId).allMatch(id -> id > 1_000 && id % 2 == 1);
            } finally {
                servers.tickets2().restart();
            }
        }
    }

    private static long worker(ConfigurableApplicationContext application, Comment comment) {
        return application
                .getBean(DistributedIds.class)
                .decode("comments", comment.getId())
                .field("worker");
    }

    /** In milliseconds by the server's clock. */
    private static long reservedAhead() throws SQLException {
        return PhotoServers.number(
                servers.tickets1(),
                "SELECT MAX(reserved_until) - CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) FROM snowflake_worker",
                "tickets");
    }
}

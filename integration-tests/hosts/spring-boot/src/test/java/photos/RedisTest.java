package photos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.hibernate.DistributedIdService;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.persistence.EntityManagerFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Redis gives the ids of one entity, by the Lettuce of this Spring Boot. */
@Needs(Need.REDIS)
class RedisTest {

    @TempDir
    Path folder;

    @Test
    void aRedisThatHasLostAllKeysIsRefusedAtTheNextStart() {
        RedisServer server = RedisServer.start(folder.resolve("redis"));
        try (ConfigurableApplicationContext application = start("lost", server)) {
            List<Photo> saved =
                    application.getBean(PhotoRepository.class).saveAll(List.of(new Photo("one"), new Photo("two")));

            assertThat(saved).extracting(Photo::getId).isSorted().allMatch(id -> id >= 5_000 && id < 10_000);
            assertThat(server.command("GET", "photos:{photos}")).startsWith("5");
            assertThat(DistributedIdService.of(application.getBean(EntityManagerFactory.class))
                            .ids()
                            .health()
                            .status())
                    .hasToString("UP");
            assertThat(application
                            .getBean(MeterRegistry.class)
                            .get("distributedid.issued")
                            .tag("seq", "photos")
                            .functionCounter()
                            .count())
                    .isEqualTo(2);
        }
        server.command("FLUSHALL");

        assertThatThrownBy(() -> start("lost", server).close())
                .rootCause()
                .hasMessageContaining("A sequence takes its ids from a different place than before: seq=photos token=");
    }

    /** A file that was restored may lack the last ids, with what the record knows of them. */
    @Test
    void rowsAboveTheCounterAreNoticedAtTheNextStart() {
        RedisServer server = RedisServer.start(folder.resolve("redis"));
        try (ConfigurableApplicationContext application = start("rows", server)) {
            application.getBean(PhotoRepository.class).save(new Photo("one"));
            application
                    .getBean(JdbcTemplate.class)
                    .update("INSERT INTO photo (id, title) VALUES (5000000, 'of a counter that lost ids')");
        }

        assertThatThrownBy(() -> start("rows", server).close())
                .rootCause()
                .hasMessageContaining(
                        "A counter would give ids that exist: key=photos:{photos} on " + server.url() + " id=")
                .hasMessageContaining(
                        ", but there is an id 5000000 already. Set distributedid.existing_ids=raise, or raise the"
                                + " counter: distributedid raise photos --above 5000000");
        try (ConfigurableApplicationContext application = start("rows", server, "--distributedid.existing-ids=raise")) {
            assertThat(application
                            .getBean(PhotoRepository.class)
                            .save(new Photo("two"))
                            .getId())
                    .isBetween(5_000_001L, 6_000_000L);
        }
    }

    private static ConfigurableApplicationContext start(String database, RedisServer server, String... more) {
        List<String> settings = new ArrayList<>(List.of(more));
        settings.addAll(List.of(
                "--spring.datasource.url=jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1",
                "--spring.jpa.hibernate.ddl-auto=update",
                "--distributedid.seq.photos.backend=redis",
                "--distributedid.seq.photos.redis.servers[0]=" + server.url(),
                "--distributedid.seq.photos.redis.key=photos",
                "--distributedid.seq.photos.redis.start=5000",
                "--distributedid.seq.photos.timeout=30s"));
        return new SpringApplicationBuilder(PhotoApplication.class)
                .web(WebApplicationType.NONE)
                .run(settings.toArray(String[]::new));
    }
}

package photos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.hibernate.DistributedIdService;
import io.distributedid.testkit.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.persistence.EntityManagerFactory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Redis gives the ids of one entity, by the Lettuce of this Spring Boot. */
class RedisTest {

    @TempDir
    Path folder;

    @Test
    void aRedisThatHasLostAllKeysIsRefusedAtTheNextStart() {
        try (RedisServer server = RedisServer.start(folder.resolve("redis"))) {
            try (ConfigurableApplicationContext application = start(server)) {
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

            assertThatThrownBy(() -> start(server).close())
                    .rootCause()
                    .hasMessageContaining("A sequence takes its ids from another place than before: seq=photos token=");
        }
    }

    private static ConfigurableApplicationContext start(RedisServer server) {
        return new SpringApplicationBuilder(PhotoApplication.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.datasource.url=jdbc:h2:mem:redis;DB_CLOSE_DELAY=-1",
                        "--spring.jpa.hibernate.ddl-auto=update",
                        "--distributedid.seq.photos.backend=redis",
                        "--distributedid.seq.photos.redis.servers[0]=" + server.url(),
                        "--distributedid.seq.photos.redis.key=photos",
                        "--distributedid.seq.photos.redis.start=5000",
                        "--distributedid.seq.photos.redis.timeout=30s");
    }
}

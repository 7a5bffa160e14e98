package photos;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.hibernate.DistributedIdService;
import io.distributedid.testkit.ServerProcess;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** An issuing service in another process gives the ids of one entity. */
@SpringBootTest(properties = {"spring.datasource.url=jdbc:h2:mem:remote", "distributedid.seq.photos.backend=remote"})
class IssuingServiceTest {

    private static final ServerProcess SERVICE =
            ServerProcess.packed(Map.of("distributedid.sequence_table.start", 5_000));

    @Autowired
    private PhotoRepository photos;

    @Autowired
    private EntityManagerFactory factory;

    @Autowired
    private MeterRegistry meters;

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry properties) {
        properties.add(
                "distributedid.seq.photos.remote.servers", () -> SERVICE.url().toString());
    }

    @Test
    void entitiesGetIdsOfTheServiceWithHealthAndMeters() {
        List<Photo> saved = photos.saveAll(List.of(new Photo("one"), new Photo("two")));

        // Ids that are old when the start ends are not used.
        assertThat(saved).extracting(Photo::getId).isSorted().allMatch(id -> id >= 5_000 && id < 10_000);
        assertThat(DistributedIdService.of(factory).ids().health().status()).hasToString("UP");
        assertThat(meters.get("distributedid.issued")
                        .tag("seq", "photos")
                        .functionCounter()
                        .count())
                .isEqualTo(2);
    }
}

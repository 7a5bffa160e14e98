package photos;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.hibernate.DistributedIdService;
import jakarta.persistence.EntityManagerFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Aggregates of Spring Data JDBC beside entities of Hibernate. */
class SpringDataJdbcTest {

    /** Takes its ids from the sequence of an entity. */
    record Note(@Id @DistributedId(seq = "photos") Long id, String words) {}

    static class Notes extends AbstractJdbcConfiguration {}

    @Test
    void bothTakeIdsFromThePersistenceUnit() {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(
                        PhotoApplication.class, Notes.class)
                .web(WebApplicationType.NONE)
                .run("--spring.datasource.url=jdbc:h2:mem:notes")) {
            application
                    .getBean(JdbcTemplate.class)
                    .execute("CREATE TABLE NOTE (ID BIGINT PRIMARY KEY, WORDS VARCHAR(50))");

            Note note = application.getBean(JdbcAggregateOperations.class).save(new Note(null, "nice"));
            Photo photo = application.getBean(PhotoRepository.class).save(new Photo("sunset"));

            assertThat(note.id()).isPositive().isNotEqualTo(photo.getId());
            assertThat(application.getBean(DistributedIds.class))
                    .isSameAs(DistributedIdService.of(application.getBean(EntityManagerFactory.class))
                            .ids());
        }
    }
}

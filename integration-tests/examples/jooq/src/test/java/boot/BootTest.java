package boot;

import static org.assertj.core.api.Assertions.assertThat;
import static photos.tables.Tables.PHOTO;

import io.distributedid.DistributedIds;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import photos.tables.tables.records.PhotoRecord;

/** With the starter, and settings as in {@code application.yml}. */
class BootTest {

    @EnableAutoConfiguration
    static class Application {}

    @Test
    void recordsGetIdsFromTheBean() {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(
                        Application.class, PhotoConfiguration.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.datasource.url=jdbc:h2:mem:photos;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
                        "--spring.sql.init.mode=always",
                        "--distributedid.backend=sequence_table",
                        "--distributedid.create-tables=true")) {
            assertThat(application.getBean(DistributedIds.class).sequences())
                    .as("opened by the check")
                    .containsExactly("photos");
            PhotoRecord photo = application.getBean(DSLContext.class).newRecord(PHOTO);
            photo.setTitle("sunset");

            photo.store();

            assertThat(photo.getId()).isEqualTo(1);
        }
    }
}

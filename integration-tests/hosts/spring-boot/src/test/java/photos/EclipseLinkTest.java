package photos;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.eclipselink.DistributedIdCustomizer;
import jakarta.persistence.EntityManagerFactory;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.EclipseLinkJpaVendorAdapter;

/** An application whose persistence unit is EclipseLink's. Hibernate is on the class path too. */
class EclipseLinkTest {

    static class Unit {

        @Bean
        LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource database) {
            LocalContainerEntityManagerFactoryBean unit = new LocalContainerEntityManagerFactoryBean();
            unit.setDataSource(database);
            unit.setPackagesToScan("photos");
            unit.setJpaVendorAdapter(new EclipseLinkJpaVendorAdapter());
            unit.setJpaPropertyMap(Map.of(
                    "eclipselink.session.customizer", DistributedIdCustomizer.class.getName(),
                    "eclipselink.deploy-on-startup", "true",
                    "eclipselink.weaving", "false",
                    "jakarta.persistence.schema-generation.database.action", "create"));
            return unit;
        }
    }

    @Test
    void itsUnitGetsTheSettingsAndGivesTheBean() {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(
                        PhotoApplication.class, Unit.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.datasource.url=jdbc:h2:mem:eclipselink",
                        "--distributedid.seq.photos.backend=sequence_table",
                        "--distributedid.seq.photos.sequence-table.servers=dataSource",
                        "--distributedid.seq.photos.create-tables=true")) {
            Photo photo = application.getBean(PhotoRepository.class).save(new Photo("sunset"));

            DistributedIds ids = application.getBean(DistributedIds.class);
            assertThat(ids).isSameAs(DistributedIdCustomizer.ids(application.getBean(EntityManagerFactory.class)));
            assertThat(photo.getId()).isEqualTo(1);
            assertThat(ids.admin().counters("photos").lastIds()).containsOnlyKeys("dataSource");
        }
    }
}

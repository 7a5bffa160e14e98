package photos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.DistributedIdService;
import jakarta.persistence.EntityManagerFactory;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;

/** Aggregates of Spring Data JDBC beside two persistence units. */
class SeveralUnitsTest {

    record Note(@Id @DistributedId(seq = "photos") Long id, String words) {}

    /** None is the main one. Transactions are those of the database, as Spring Data JDBC uses them. */
    static class Units extends AbstractJdbcConfiguration {

        @Bean
        LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource database) {
            return unit(database);
        }

        @Bean
        LocalContainerEntityManagerFactoryBean other(DataSource database) {
            return unit(database);
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource database) {
            return new DataSourceTransactionManager(database);
        }

        private static LocalContainerEntityManagerFactoryBean unit(DataSource database) {
            LocalContainerEntityManagerFactoryBean unit = new LocalContainerEntityManagerFactoryBean();
            unit.setDataSource(database);
            unit.setPackagesToScan("photos");
            unit.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            unit.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", "update", "distributedid.backend", "memory"));
            return unit;
        }
    }

    /** What the page of Spring Data asks for. */
    static class Declared {

        @Bean(destroyMethod = "")
        DistributedIds ids(@Qualifier("other") EntityManagerFactory unit) {
            return DistributedIdService.of(unit).ids();
        }
    }

    private static ConfigurableApplicationContext run(Class<?>... more) {
        ConfigurableApplicationContext application = new SpringApplicationBuilder(PhotoApplication.class, Units.class)
                .sources(more)
                .web(WebApplicationType.NONE)
                .run("--spring.datasource.url=jdbc:h2:mem:units" + more.length);
        application.getBean(JdbcTemplate.class).execute("CREATE TABLE NOTE (ID BIGINT PRIMARY KEY, WORDS VARCHAR(50))");
        return application;
    }

    @Test
    void theDeclaredBeanGivesTheIds() {
        try (ConfigurableApplicationContext application = run(Declared.class)) {
            DistributedIds ids = application.getBean(DistributedIds.class);
            long before = ids.next("photos");

            Note note = application.getBean(JdbcAggregateOperations.class).save(new Note(null, "nice"));

            assertThat(note.id()).isEqualTo(before + 1);
        }
    }

    @Test
    void withoutItNothingIsSaved() {
        try (ConfigurableApplicationContext application = run()) {
            JdbcAggregateOperations aggregates = application.getBean(JdbcAggregateOperations.class);

            assertThatThrownBy(() -> aggregates.save(new Note(null, "nice")))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("There is no DistributedIds bean for photos.SeveralUnitsTest$Note.id (seq=photos). Set"
                            + " distributedid.backend, or, with several persistence units, declare the bean");
        }
    }
}

package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.spring.DistributedIdAutoConfiguration;
import io.distributedid.spring.data.DistributedIdDataAutoConfiguration;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Aggregates of Spring Data JDBC, whose ids come from a table in their own database. */
@Needs(Need.MYSQL)
class SpringDataTest {

    @Table("photo")
    record Photo(@Id @DistributedId(seq = "photos") Long id, String title) {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DistributedIdAutoConfiguration.class, DistributedIdDataAutoConfiguration.class})
    static class Application extends AbstractJdbcConfiguration {

        @Bean
        DataSource database() {
            return new DriverManagerDataSource(url());
        }

        @Bean
        NamedParameterJdbcOperations statements(DataSource database) {
            return new NamedParameterJdbcTemplate(database);
        }
    }

    private static String url() {
        return MySqlServers.shard(0).jdbcUrl("aggregates");
    }

    @Test
    void aggregatesAreStoredUnderTheIdsThatTheyAreGiven() throws SQLException {
        new TestDatabase(url()).execute("CREATE TABLE photo (id BIGINT PRIMARY KEY, title VARCHAR(100))");
        try (AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext()) {
            application
                    .getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource(
                            "test",
                            Map.of(
                                    "distributedid.backend",
                                    "sequence_table",
                                    "distributedid.create-tables",
                                    "true",
                                    "distributedid.block.max-age",
                                    "off")));
            application.register(Application.class);
            application.refresh();
            JdbcAggregateOperations aggregates = application.getBean(JdbcAggregateOperations.class);

            Photo first = aggregates.save(new Photo(null, "dawn"));
            List<Photo> others = aggregates.saveAll(Stream.generate(() -> new Photo(null, "sunset"))
                    .limit(1_000)
                    .toList());

            assertThat(first.id()).isEqualTo(1);
            assertThat(others.get(999).id()).isEqualTo(1_001);
            assertThat(aggregates.findById(1_001L, Photo.class)).isEqualTo(others.get(999));
            assertThat(aggregates.save(new Photo(1L, "dusk"))).isEqualTo(new Photo(1L, "dusk"));
        }
        assertThat(DatabaseRows.rows(url(), "SELECT id, title FROM photo WHERE id < 3 ORDER BY id"))
                .containsExactly("1 dusk", "2 sunset");
    }
}

package photos;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;

/**
 * The database by JDBC, for photos and for ids. Spring Boot makes no DataSource of its own if there is a
 * ConnectionFactory of R2DBC, and Spring Data JDBC refuses reactive repositories. With JDBC alone, leave out this class
 * and set {@code spring.datasource.url}.
 */
@Configuration(proxyBeanMethods = false)
@EnableJdbcRepositories(
        excludeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = ReactiveCrudRepository.class))
class Databases {

    @Bean
    @ConfigurationProperties("database")
    HikariDataSource database() {
        return new HikariDataSource();
    }
}

package photos;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The database by JDBC, for photos and for ids. Spring Boot makes no DataSource of its own if there is a
 * ConnectionFactory of R2DBC. With JDBC alone, leave out this class and set {@code spring.datasource.url}.
 */
@Configuration(proxyBeanMethods = false)
class Databases {

    @Bean
    @ConfigurationProperties("database")
    HikariDataSource database() {
        return new HikariDataSource();
    }
}

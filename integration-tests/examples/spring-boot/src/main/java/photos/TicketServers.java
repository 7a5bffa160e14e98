package photos;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The servers from which ids come. They are no default candidates, so that the application's own database stays the one
 * DataSource that is injected by its type, and that Spring Boot configures.
 */
@Configuration(proxyBeanMethods = false)
class TicketServers {

    @Bean(defaultCandidate = false)
    @ConfigurationProperties("tickets1")
    HikariDataSource tickets1() {
        return new HikariDataSource();
    }

    @Bean(defaultCandidate = false)
    @ConfigurationProperties("tickets2")
    HikariDataSource tickets2() {
        return new HikariDataSource();
    }
}

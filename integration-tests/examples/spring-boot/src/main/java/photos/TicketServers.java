package photos;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The servers from which ids come. They are no autowire candidates, so that the application's own database stays the
 * one DataSource that is injected by its type, and that Spring Boot configures. And the health of Boot's component
 * {@code db} does not fail with one of them: one server is enough for ids.
 */
@Configuration(proxyBeanMethods = false)
class TicketServers {

    @Bean(autowireCandidate = false)
    @ConfigurationProperties("tickets1")
    HikariDataSource tickets1() {
        return new HikariDataSource();
    }

    @Bean(autowireCandidate = false)
    @ConfigurationProperties("tickets2")
    HikariDataSource tickets2() {
        return new HikariDataSource();
    }
}

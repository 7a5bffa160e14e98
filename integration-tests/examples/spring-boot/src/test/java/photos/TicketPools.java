package photos;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Pools of the application for the ticket servers. */
@Configuration(proxyBeanMethods = false)
class TicketPools {

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

package photos;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

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

package photos;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;

/** An application with beans of ticket servers, whose own bean is primary, as the page of Spring Boot says. */
@JpaTest
@Import({TicketServers.class, ReplacedDatabaseTest.Own.class})
class ReplacedDatabaseTest {

    static class Own {

        @Bean
        @Primary
        @ConfigurationProperties("own")
        HikariDataSource database() {
            return new HikariDataSource();
        }
    }

    @Test
    void theTestHasADatabaseOfItsOwn(@Autowired DataSource database) {
        assertThat(database).isInstanceOf(EmbeddedDatabase.class);
    }
}

package photos;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

/** Spring Boot puts no embedded database in the place of one DataSource among several, unless it is primary. */
@JpaTest
@Import(TicketServers.class)
@TestPropertySource(properties = "spring.datasource.url=jdbc:h2:./target/kept")
@ExtendWith(OutputCaptureExtension.class)
class KeptDatabaseTest {

    @Test
    void aTestOnTheConfiguredDatabaseLogsAWarning(CapturedOutput output, @Autowired DataSource database)
            throws SQLException {
        try (Connection connection = database.getConnection()) {
            assertThat(connection.getMetaData().getURL()).isEqualTo("jdbc:h2:./target/kept");
        }
        assertThat(output)
                .contains("This test runs on the configured database, whose tables Hibernate may drop, because Spring"
                        + " Boot replaces only a single or primary DataSource bean: beans=[tickets1, tickets2,"
                        + " dataSource]. Name the servers of ids by JDBC URLs, or mark the application's own bean"
                        + " @Primary. If the test needs that database, set spring.test.database.replace=NONE");
    }
}

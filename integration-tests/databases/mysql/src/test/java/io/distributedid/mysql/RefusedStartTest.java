package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.SentStatements;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A start whose changes the server refuses fails at once. */
class RefusedStartTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sequence_table|binlog_format='STATEMENT',transaction_isolation='READ-COMMITTED'|BINLOG_FORMAT",
                "ticket|binlog_format='STATEMENT',transaction_isolation='READ-COMMITTED'|BINLOG_FORMAT",
                "sequence_table|transaction_read_only=1|READ ONLY",
                "ticket|transaction_read_only=1|READ ONLY"
            })
    void isAnErrorOfTheConfiguration(String backend, String session, String reason) throws SQLException {
        String url = MySqlServers.odd().jdbcUrl("refused_" + backend);
        DatabaseRows.execute(
                url,
                DistributedIds.ddl(Map.of("distributedid.backend", backend), "mysql")
                        .toArray(String[]::new));
        SentStatements server = SentStatements.to(url + "&sessionVariables=" + session);

        try (DistributedIds ids = DistributedIds.create(
                Map.of("distributedid.backend", backend, "distributedid." + backend + ".servers", server))) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining(reason);
        }
        assertThat(server.connections()).isLessThanOrEqualTo(2);
    }
}

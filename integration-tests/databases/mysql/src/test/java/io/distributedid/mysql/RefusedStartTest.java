package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.SentStatements;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A change that the server refuses is made once. A failover may end read-only: that is an outage. */
@Needs(Need.MYSQL)
class RefusedStartTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sequence_table|binlog_format='STATEMENT',transaction_isolation='READ-COMMITTED'|BINLOG_FORMAT"
                        + "|io.distributedid.IdConfigurationException",
                "ticket|binlog_format='STATEMENT',transaction_isolation='READ-COMMITTED'|BINLOG_FORMAT"
                        + "|io.distributedid.IdConfigurationException",
                "sequence_table|transaction_read_only=1|READ ONLY|io.distributedid.IdUnavailableException",
                "ticket|transaction_read_only=1|READ ONLY|io.distributedid.IdUnavailableException"
            })
    void isTriedOnce(String backend, String session, String reason, Class<?> error) throws SQLException {
        String url = MySqlServers.odd().jdbcUrl("refused_" + backend);
        DatabaseRows.execute(
                url,
                IdAdmin.ddl(Map.of("distributedid.backend", backend), "mysql").toArray(String[]::new));
        SentStatements server = SentStatements.to(url + "&sessionVariables=" + session);

        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend",
                backend,
                "distributedid." + backend + ".servers",
                server,
                "distributedid.block.timeout",
                "10ms"))) {
            assertThatThrownBy(() -> ids.next("photos")).isInstanceOf(error).hasMessageContaining(reason);
        }
        assertThat(server.connections()).isLessThanOrEqualTo(2);
    }
}

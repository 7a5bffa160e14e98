package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.IdConfigurationException;
import io.distributedid.ServerStatistics;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import io.distributedid.testkit.SentStatements;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A change that the server will refuse again is not repeated. */
class RefusedChangeTest {

    private static final String URL = "jdbc:h2:mem:refused_change;DB_CLOSE_DELAY=-1";

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("refused_change");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT", "SELECT, INSERT", "SELECT, UPDATE"})
    void aMissingRightIsSaidAtOnce(String rights) throws SQLException {
        Map<String, String> settings = Map.of("distributedid.backend", "sequence_table");
        DatabaseRows.execute(URL, IdAdmin.ddl(settings, "h2").toArray(String[]::new));
        DatabaseRows.execute(
                URL,
                "CREATE USER reader PASSWORD 'secret'",
                "GRANT " + rights + " ON sequence TO reader",
                "GRANT SELECT, INSERT, UPDATE ON distributedid TO reader");
        SentStatements server = SentStatements.to("jdbc:h2:mem:refused_change;USER=reader;PASSWORD=secret");

        try (LoggedWarnings warnings = LoggedWarnings.of(ServerPause.class);
                DistributedIds ids = DistributedIds.create(Map.of(
                        "distributedid.backend", "sequence_table", "distributedid.sequence_table.servers", server))) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("Not enough rights for object \"PUBLIC.SEQUENCE\"");
            assertThat(warnings.messages()).isEmpty();
        }
        assertThat(server.connections()).isLessThanOrEqualTo(2);
    }

    @Test
    void aMissingRightIsNoMatterOfTheServersOtherTables() throws SQLException {
        for (String table : List.of("sequence", "others")) {
            Map<String, String> settings =
                    Map.of("distributedid.backend", "sequence_table", "distributedid.sequence_table.table", table);
            DatabaseRows.execute(URL, IdAdmin.ddl(settings, "h2").toArray(String[]::new));
        }
        DatabaseRows.execute(
                URL,
                "CREATE USER reader PASSWORD 'secret'",
                "GRANT SELECT, INSERT ON sequence TO reader",
                "GRANT SELECT, INSERT, UPDATE ON others TO reader",
                "GRANT SELECT, INSERT, UPDATE ON distributedid TO reader");

        try (LoggedWarnings warnings = LoggedWarnings.of(ServerPause.class);
                DistributedIds ids = GivenIds.sequenceTable(
                        "jdbc:h2:mem:refused_change;USER=reader;PASSWORD=secret",
                        "create_tables",
                        false,
                        "seq.users.sequence_table.table",
                        "others")) {
            for (long id = 1; id <= 40; id++) {
                assertThatThrownBy(() -> ids.next("photos")).isInstanceOf(IdConfigurationException.class);
                assertThat(ids.next("users")).isEqualTo(id);
            }
            assertThat(ids.statistics("users").orElseThrow().servers())
                    .extracting(ServerStatistics::failures)
                    .containsExactly(0L);
            assertThat(warnings.messages()).as("left out").isEmpty();
        }
    }
}

package io.distributedid.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.DatabaseRows;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The privileges that the documentation lists for sections of keys are enough. */
class SectionGrantsTest {

    private static Map<String, String> settings() {
        return Map.of(
                "distributedid.keyed.backend",
                "section",
                "distributedid.keyed.section.store",
                Postgres.url("section_grants").replace("user=postgres", "user=narrow"),
                "distributedid.keyed.section.password",
                "secret",
                "distributedid.keyed.section.lease",
                "1m",
                "distributedid.timeout",
                "20s",
                "distributedid.block.timeout",
                "45s");
    }

    @Test
    void sectionsNeedSelectInsertAndUpdateAndToSelectAndInsertRecords() throws SQLException {
        DatabaseRows.execute(Postgres.url(), "CREATE DATABASE section_grants");
        DatabaseRows.execute(Postgres.url(), "CREATE ROLE narrow LOGIN PASSWORD 'secret'");
        String owner = Postgres.url("section_grants");
        DatabaseRows.execute(owner, IdAdmin.ddl(settings(), "postgresql").toArray(String[]::new));
        DatabaseRows.execute(owner, "GRANT SELECT, INSERT, UPDATE ON distributedid TO narrow");

        for (String right : List.of("SELECT", "INSERT")) {
            try (DistributedIds ids =
                    DistributedIds.builder().settings(settings()).asService().build()) {
                assertThatThrownBy(() -> ids.keyed("messages").next(7))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining("The table that records how a sequence is numbered can't be used, because"
                                + " the user lacks a right: table=keyed_sequence on ")
                        .hasMessageContaining("permission denied for table keyed_sequence")
                        .hasMessageContaining("GRANT SELECT, INSERT ON keyed_sequence to the user");
            }
            DatabaseRows.execute(owner, "GRANT " + right + " ON keyed_sequence TO narrow");
        }
        try (DistributedIds ids =
                DistributedIds.builder().settings(settings()).asService().build()) {
            assertThat(ids.keyed("messages").next(7)).isEqualTo(1);
        }
    }
}

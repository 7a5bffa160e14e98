package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.hibernate.annotations.TenantId;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Existing rows of tenants, and a counter that lies below their ids. */
class TenantRowsTest {

    @Entity(name = "Memo")
    static class Memo {
        @Id
        @DistributedId(seq = "memos")
        String id;

        @TenantId
        String tenant;
    }

    @Entity(name = "Letter")
    static class Letter {
        @Id
        @DistributedId(seq = "letters")
        Long id;
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("tenant_rows");
    }

    @Test
    void tenantsWithinATableAreComparedTogether() throws SQLException {
        execute("CREATE TABLE Memo (id VARCHAR(255) PRIMARY KEY, tenant VARCHAR(255))");
        execute("INSERT INTO Memo VALUES ('99', 'a'), ('100', 'b')");
        assertThatThrownBy(() -> configuration(Memo.class)
                        .setProperty("hibernate.connection.url", url())
                        .buildSessionFactory()
                        .close())
                .hasMessageContaining("there is an id 100 already");
    }

    /** The tenants' databases are unknown at start. */
    @Test
    void theStartSaysThatDatabasesOfTenantsAreNotCompared() {
        assertThat(warnings("refuse"))
                .containsExactly("Sequences are not compared with the ids that exist: seq=letters, because every"
                        + " connection belongs to a tenant, and none is known at the start. A sequence that lies below"
                        + " the ids of a tenant issues them twice. Compare the sequence with all tenants by hand:"
                        + " distributedid raise SEQ --dry-run --table TABLE --column COLUMN --database URL --database"
                        + " URL. To end this warning, set distributedid.existing_ids=ignore");
        assertThat(warnings("ignore")).isEmpty();
    }

    private static List<String> warnings(String mode) {
        try (LoggedWarnings log = LoggedWarnings.of(ExistingIdsCheck.class)) {
            Configuration configuration = configuration(Letter.class)
                    .setProperty("distributedid.sequence_table.servers", url())
                    .setProperty("hibernate.dialect", "org.hibernate.dialect.H2Dialect")
                    .setProperty("distributedid.existing_ids", mode);
            configuration
                    .getProperties()
                    .put("hibernate.multi_tenant_connection_provider", new IdSpaceCheckTest.Tenants());
            configuration.buildSessionFactory().close();
            return log.messages();
        }
    }

    private static Configuration configuration(Class<?> entity) {
        return new Configuration()
                .addAnnotatedClass(entity)
                .setProperty("distributedid.backend", "sequence_table")
                .setProperty("distributedid.create_tables", "true");
    }

    private static String url() {
        return "jdbc:h2:mem:tenant_rows;DB_CLOSE_DELAY=-1";
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

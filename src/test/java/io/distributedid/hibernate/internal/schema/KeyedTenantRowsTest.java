package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedValue;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.SQLException;
import java.util.List;
import org.hibernate.annotations.TenantId;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rows of tenants in one table, whose numbers are counted on a server: a start has no tenant to read them. */
class KeyedTenantRowsTest {

    private static final String URL = "jdbc:h2:mem:keyed_tenant_rows;DB_CLOSE_DELAY=-1";

    @Entity(name = "Ticket")
    static class Ticket {
        @Id
        Long id;

        @TenantId
        String tenant;

        Long queue;

        @DistributedValue(seq = "tickets", per = "queue")
        Long number;
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("keyed_tenant_rows", "keyed_tenant_server");
    }

    private static List<String> warningsOfStart(String mode) {
        try (LoggedWarnings warnings = LoggedWarnings.of(KeyedCheck.class)) {
            new Configuration()
                    .addAnnotatedClass(Ticket.class)
                    .setProperty("hibernate.connection.url", URL)
                    .setProperty("hibernate.hbm2ddl.auto", "update")
                    .setProperty("distributedid.keyed.row.server", "jdbc:h2:mem:keyed_tenant_server;DB_CLOSE_DELAY=-1")
                    .setProperty("distributedid.create_tables", "true")
                    .setProperty("distributedid.existing_ids", mode)
                    .buildSessionFactory()
                    .close();
            return List.copyOf(warnings.messages());
        }
    }

    @Test
    void theStartSaysThatTheirNumbersAreNotCompared() throws SQLException {
        assertThat(warningsOfStart("refuse")).isEmpty();
        DatabaseRows.execute(URL, "INSERT INTO Ticket (id, tenant, queue, number) VALUES (1, 'a', 42, 2)");
        assertThat(warningsOfStart("refuse"))
                .singleElement()
                .asString()
                .contains("Ticket.number (seq=tickets): It is unknown whether the numbers of rows were issued by their"
                        + " sequence: table=Ticket column=number, because each session needs a tenant. Those that were"
                        + " not are issued again. Look by hand: SELECT MAX(number) FROM Ticket.");
        assertThat(warningsOfStart("ignore")).isEmpty();
    }
}

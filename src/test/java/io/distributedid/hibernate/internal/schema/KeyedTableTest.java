package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.KeyedSequence;
import io.distributedid.hibernate.DistributedIdService;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.SQLException;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers per key in the database of a persistence unit. */
class KeyedTableTest {

    private static final String URL = "jdbc:h2:mem:keyed_table;DB_CLOSE_DELAY=-1";

    @Entity(name = "Message")
    static class Message {
        @Id
        Long id;
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("keyed_table");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUBLIC", "OTHER"})
    void theExportCreatesTheTableAndBothWaysUseIt(String schema) throws SQLException {
        DatabaseRows.execute(URL, "CREATE SCHEMA IF NOT EXISTS OTHER");
        try (SessionFactory factory = configuration()
                .setProperty("hibernate.default_schema", schema)
                .setProperty("distributedid.keyed.backend", "row")
                .buildSessionFactory()) {
            KeyedSequence messages = DistributedIdService.of(factory).ids().keyed("messages");
            KeyedSequence invoices = DistributedIdService.of(factory).ids().keyed("invoices");
            assertThat(messages.next(42, 3)).containsExactly(1, 2, 3);
            long invoice = factory.fromTransaction(
                    session -> session.doReturningWork(connection -> invoices.next("c", connection)));
            assertThat(invoice).isEqualTo(1);
        }
        assertThat(DatabaseRows.rows(
                        URL,
                        "SELECT name, number FROM " + schema
                                + ".keyed_sequence WHERE key_text > ' floor' ORDER BY name"))
                .containsExactly("invoices 1", "messages 3");
    }

    private static Configuration configuration() {
        return new Configuration()
                .addAnnotatedClass(Message.class)
                .setProperty("hibernate.connection.url", URL)
                .setProperty("hibernate.hbm2ddl.auto", "update");
    }
}

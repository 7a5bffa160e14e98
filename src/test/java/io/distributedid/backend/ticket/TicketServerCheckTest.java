package io.distributedid.backend.ticket;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TicketServerCheckTest {

    @Test
    void mySqlBeforeEightIsRefusedBecauseItForgetsItsCounter() {
        assertThatThrownBy(() -> open(server("MySQL", "5.7.44", 5)))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "A ticket server must keep its counter across a restart: MySQL version=5.7.44, allowed: 8.0 or"
                                + " later. Upgrade it, or use a sequence table");
    }

    @ParameterizedTest
    @CsvSource({"MariaDB, 10.2.3-MariaDB", "MySQL, 5.5.5-10.1.48-MariaDB"})
    void mariaDbBeforeTenTwoFourIsRefusedForTheSameReason(String product, String version) {
        assertThatThrownBy(() -> open(server(product, version, 10)))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A ticket server must keep its counter across a restart: MariaDB version=" + version
                        + ", allowed: 10.2.4 or later. Upgrade it, or use a sequence table");
    }

    @Test
    void otherDatabasesAreRefused() {
        assertThatThrownBy(() -> open(server("Oracle", "23", 23)))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("Ids can't be reserved on this database: product=Oracle, allowed: MySQL, MariaDB,"
                        + " PostgreSQL, H2");
        assertThatThrownBy(() -> open(server("PostgreSQL", "17", 17)))
                .hasMessage("A ticket server must have auto-increment columns whose increment a session can set:"
                        + " product=PostgreSQL, allowed: MySQL, MariaDB, H2. Set distributedid.backend=sequence_table");
    }

    private static void open(Connection connection) throws SQLException {
        TicketSession unused = new TicketSession(
                connection,
                "here",
                Optional.empty(),
                new TicketTable("Tickets64", TicketTable.Style.REPLACE, 64),
                false);
    }

    private static Connection server(String product, String version, int major) {
        Map<String, Object> answers = Map.of(
                "getDatabaseProductName", product,
                "getDatabaseProductVersion", version,
                "getDatabaseMajorVersion", major);
        DatabaseMetaData metaData = proxy(DatabaseMetaData.class, answers);
        return proxy(Connection.class, Map.of("getMetaData", metaData));
    }

    private static <T> T proxy(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answers.get(method.getName())));
    }
}

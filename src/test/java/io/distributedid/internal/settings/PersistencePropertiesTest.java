package io.distributedid.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.RefusingDriver;
import io.distributedid.spi.ConnectionAccess;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PersistencePropertiesTest {

    private static final String URL = "jdbc:mysql:persistence-properties-test";

    private final RefusingDriver driver = new RefusingDriver(URL::equals);

    @BeforeEach
    void register() throws SQLException {
        DriverManager.registerDriver(driver);
    }

    @AfterEach
    void deregister() throws SQLException {
        DriverManager.deregisterDriver(driver);
    }

    @Test
    void theDriverIsGivenWhatIsNotHibernatesOwn() {
        connect(
                Map.of(
                        "hibernate.connection.url", URL,
                        "hibernate.connection.username", "app",
                        "hibernate.connection.useSSL", "false",
                        "hibernate.connection.pool_size", "5",
                        "jakarta.persistence.jdbc.user", "other",
                        "jakarta.persistence.jdbc.password", "secret",
                        "javax.persistence.jdbc.password", "old"),
                Duration.ofSeconds(7));

        assertThat(driver.given())
                .containsEntry("user", "app")
                .containsEntry("password", "secret")
                .containsEntry("useSSL", "false")
                .doesNotContainKeys("url", "username", "pool_size");
    }

    @Test
    void theCallerBoundsTheConnection() {
        Map<String, String> properties = Map.of("jakarta.persistence.jdbc.url", URL);

        connect(properties, Duration.ofSeconds(7));
        assertThat(driver.given()).containsEntry("connectTimeout", "7000").containsEntry("socketTimeout", "7000");
        connect(properties, Duration.ofSeconds(30));
        assertThat(driver.given()).containsEntry("connectTimeout", "30000").containsEntry("socketTimeout", "30000");
    }

    @Test
    void noDriverIsNeededBeforeTheFirstConnection() {
        ConnectionAccess database = new PersistenceProperties(
                        Map.of("javax.persistence.jdbc.url", "jdbc:nothing://user:secret@t1/app"))
                .database()
                .orElseThrow();

        assertThat(database).hasToString("jdbc:nothing://t1/app");
        assertThatThrownBy(database::obtain)
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "No JDBC driver accepts the URL: url=jdbc:nothing://t1/app. Add its driver to the class path");
    }

    @Test
    void theNamespaceIsThatOfHibernatesTables() {
        assertThat(new PersistenceProperties(Map.of("hibernate.default_schema", "s")).namespace())
                .contains("s");
        assertThat(new PersistenceProperties(Map.of("hibernate.default_schema", "s", "hibernate.default_catalog", "c"))
                        .namespace())
                .contains("c.s");
        assertThat(new PersistenceProperties(Map.of()).namespace()).isEmpty();
    }

    @Test
    void aDataSourceIsNoUrl() {
        PersistenceProperties properties =
                new PersistenceProperties(Map.of("jakarta.persistence.nonJtaDataSource", new Object()));

        assertThat(properties.nameDataSource()).isTrue();
        assertThat(properties.database()).isEmpty();
        assertThat(new PersistenceProperties(Map.of("jakarta.persistence.jdbc.url", URL)).nameDataSource())
                .isFalse();
    }

    private void connect(Map<String, String> properties, Duration timeout) {
        ConnectionAccess database =
                new PersistenceProperties(properties).database().orElseThrow();
        assertThatThrownBy(() -> database.obtain(timeout)).hasMessage("refused");
    }
}

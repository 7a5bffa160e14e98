package io.distributedid.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerSettingParserTest {

    @Test
    void urlsAreSeparatedByCommasAndMayHoldCommas() {
        assertThat(find("jdbc:h2:mem:a;INIT=SET A,B, jdbc:h2:mem:b"))
                .extracting(ConnectionAccess::label)
                .containsExactly("jdbc:h2:mem:a", "jdbc:h2:mem:b");
    }

    @Test
    void labelsHaveNoParametersAndNoCredentials() {
        assertThat(JdbcUrl.label("jdbc:mysql://me:secret@t1:3306/tickets?password=secret"))
                .isEqualTo("jdbc:mysql://t1:3306/tickets");
        assertThat(JdbcUrl.label("jdbc:h2:mem:a;PASSWORD=secret")).isEqualTo("jdbc:h2:mem:a");
    }

    @Test
    void dataSourcesAreTakenAsTheyAre() {
        List<ConnectionAccess> servers = find(List.of(new JdbcDataSource(), new JdbcDataSource()));

        assertThat(servers).extracting(ConnectionAccess::label).containsExactly("data source 1", "data source 2");
    }

    @Test
    void aServerListedTwiceIsRefused() {
        assertThatThrownBy(() -> find("jdbc:h2:mem:a;USER=x, jdbc:h2:mem:a"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "A setting has a value that is not allowed: distributedid.ticket.servers=jdbc:h2:mem:a twice,"
                                + " allowed: every server once");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:mem:a, jdbc:h2:mem:b,",
                "jdbc:h2:mem:b, , jdbc:h2:mem:a",
                "jdbc:h2:mem:b,,jdbc:h2:mem:a",
                "jdbc:h2:mem:a, java:comp/env/jdbc/b,"
            })
    void aCommaThatNoServerFollowsIsNamed(String servers) {
        assertThatThrownBy(() -> find(servers))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("distributedid.ticket.servers=j")
                .hasMessageEndingWith(" in the settings map. Remove the comma that no server follows");
    }

    @Test
    void serversSeparatedBySemicolonsAreRefusedWithTheFix() {
        assertThatThrownBy(() -> find("jdbc:mysql://a:secret@t1/tickets?password=secret ; jdbc:mysql://t2/tickets"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: distributedid.ticket.servers="
                        + "jdbc:mysql://t1/tickets;jdbc:mysql://t2/tickets, allowed: servers separated by commas. Write"
                        + " ',' for ';': jdbc:mysql://t1/tickets, jdbc:mysql://t2/tickets");
        assertThatThrownBy(() -> find("java:comp/env/jdbc/odd;java:comp/env/jdbc/even"))
                .hasMessageContaining("allowed: servers separated by commas");
        assertThat(find("jdbc:h2:mem:a;DB_CLOSE_DELAY=-1")).hasSize(1);
    }

    @Test
    void theDriverOfAKnownDatabaseIsNamed() throws SQLException {
        Driver driver = DriverManager.getDriver("jdbc:h2:mem:a");
        DriverManager.deregisterDriver(driver);
        try {
            assertThatThrownBy(() -> find("jdbc:h2:mem:a"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("No JDBC driver accepts the URL: url=jdbc:h2:mem:a (com.h2database:h2). Add its driver"
                            + " to the class path");
        } finally {
            DriverManager.registerDriver(driver);
        }
    }

    @Test
    void aUrlWithoutDriverIsRefused() {
        assertThatThrownBy(() -> find("jdbc:nosuch://t1/tickets"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("No JDBC driver accepts the URL: url=jdbc:nosuch://t1/tickets. Add its driver to the class"
                        + " path");
    }

    @Test
    void whatIsNeitherUrlNorNameNorDataSourceIsRefused() {
        assertThatThrownBy(() -> find("t1/tickets"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        "A setting has a value that is not allowed: distributedid.ticket.servers=t1/tickets,"
                                + " allowed: JDBC URLs (jdbc:...)");
        assertThatThrownBy(() -> find("jdbc:h2:mem:a, h2:mem:b")).hasMessageContaining("allowed: JDBC URLs");
        assertThatThrownBy(() -> find(7)).hasMessageContaining("distributedid.ticket.servers=java.lang.Integer");
        assertThatThrownBy(() -> find("java:comp/env/jdbc/none"))
                .hasMessageContaining("java:comp/env/jdbc/none, allowed: the JNDI name of a DataSource");
    }

    private static List<ConnectionAccess> find(Object value) {
        return ServerSettingParser.find(
                Settings.of(Map.of("distributedid.ticket.servers", value)),
                Setting.servers("distributedid.ticket.servers", "For tests."),
                Setting.text("distributedid.ticket.user", "For tests.", "a user"),
                Setting.password("distributedid.ticket.password", "For tests."));
    }
}

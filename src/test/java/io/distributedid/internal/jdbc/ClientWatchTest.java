package io.distributedid.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On an H2 database that has the table and the function of PostgreSQL. */
public class ClientWatchTest {

    private static final List<String> SET = new ArrayList<>();

    private static SQLException failure;

    private Connection connection;

    @BeforeEach
    void create() throws SQLException {
        SET.clear();
        failure = null;
        connection = DriverManager.getConnection("jdbc:h2:mem:");
        execute("CREATE TABLE pg_settings (name VARCHAR(64), setting VARCHAR(64))");
        execute("CREATE ALIAS set_config FOR '" + getClass().getName() + ".setConfig'");
    }

    @AfterEach
    void drop() throws SQLException {
        connection.close();
    }

    /** What H2 calls. */
    public static String setConfig(String name, String value, boolean isLocal) throws SQLException {
        if (failure != null) {
            throw failure;
        }
        assertThat(isLocal).isFalse();
        SET.add(name + "=" + value);
        return value;
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void serverHas(String interval) throws SQLException {
        execute("DELETE FROM pg_settings");
        execute("INSERT INTO pg_settings VALUES ('client_connection_check_interval', '" + interval + "'),"
                + " ('lock_timeout', '0')");
    }

    private ClientWatch start() throws SQLException {
        return ClientWatch.start(connection, DatabaseProduct.POSTGRESQL);
    }

    @Test
    void theServerLooksForItsClientUntilTheConnectionIsGivenBack() throws SQLException {
        serverHas("0");
        ClientWatch watch = start();
        assertThat(SET).containsExactly("client_connection_check_interval=1000");

        serverHas("1000");
        watch.restore(connection);
        assertThat(SET).element(1).isEqualTo("client_connection_check_interval=0");
    }

    /** A session of a pooler may be another one by now. */
    @Test
    void anIntervalOfSomebodyElseIsNotSetBack() throws SQLException {
        serverHas("0");
        ClientWatch watch = start();

        serverHas("5000");
        watch.restore(connection);
        assertThat(SET).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1000", "5000"})
    void anIntervalThatIsSetStays(String interval) throws SQLException {
        serverHas(interval);
        start().restore(connection);

        assertThat(SET).isEmpty();
    }

    @Test
    void anOlderServerHasNoInterval() throws SQLException {
        start().restore(connection);

        assertThat(SET).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"22023, false", "08006, true"})
    void onlyAServerThatCanNotLookForItsClientGoesWithout(String state, boolean isRefused) throws SQLException {
        serverHas("0");
        failure = new SQLException("must be set to 0 on this platform", state);
        if (isRefused) {
            assertThatThrownBy(this::start).isInstanceOf(SQLException.class).hasMessageContaining("must be set to 0");
            return;
        }
        ClientWatch watch = start();

        failure = null;
        serverHas("1000");
        watch.restore(connection);
        assertThat(SET).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"MYSQL", "MARIADB", "H2"})
    void otherProductsAreNotAsked(DatabaseProduct product) throws SQLException {
        execute("DROP TABLE pg_settings");
        ClientWatch.start(connection, product).restore(connection);

        assertThat(SET).isEmpty();
    }
}

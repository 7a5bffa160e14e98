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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On an H2 database that has the table and the function of PostgreSQL. */
@Tag("slow")
public class SessionDurabilityTest {

    private static final List<String> SET = new ArrayList<>();

    private static SQLException failure;

    private Connection connection;

    @BeforeEach
    void create() throws SQLException {
        SET.clear();
        failure = null;
        connection = DriverManager.getConnection("jdbc:h2:mem:");
        execute("CREATE TABLE pg_settings (name VARCHAR(64), setting VARCHAR(64))");
        execute("CREATE ALIAS version AS 'String version() { return \"PostgreSQL 17.2\"; }'");
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
        serverHas("client_connection_check_interval", interval);
    }

    private void serverHas(String name, String value) throws SQLException {
        execute("DELETE FROM pg_settings");
        execute("INSERT INTO pg_settings VALUES ('" + name + "', '" + value + "'), ('lock_timeout', '0')");
    }

    private Durability start() throws SQLException {
        return Durability.check(connection, DatabaseProduct.POSTGRESQL, "server 1");
    }

    @Test
    void theServerLooksForItsClientUntilTheConnectionIsGivenBack() throws SQLException {
        serverHas("0");
        Durability session = start();
        assertThat(SET).containsExactly("client_connection_check_interval=1000");

        serverHas("1000");
        session.restore(connection);
        assertThat(SET).element(1).isEqualTo("client_connection_check_interval=0");
    }

    /** A session of a pooler may be another one by now. */
    @Test
    void anIntervalOfSomebodyElseIsNotSetBack() throws SQLException {
        serverHas("0");
        Durability session = start();

        serverHas("5000");
        session.restore(connection);
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
        Durability session = start();

        failure = null;
        serverHas("1000");
        session.restore(connection);
        assertThat(SET).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"off", "local"})
    void aCommitInMemoryIsRaisedUntilTheConnectionIsGivenBack(String commit) throws SQLException {
        serverHas("synchronous_commit", commit);
        Durability session = start();
        serverHas("synchronous_commit", "on");
        session.restore(connection);

        assertThat(SET).containsExactly("synchronous_commit=on", "synchronous_commit=" + commit);
    }

    @ParameterizedTest
    @ValueSource(strings = {"on", "remote_write", "remote_apply"})
    void noCommitIsLowered(String commit) throws SQLException {
        serverHas("synchronous_commit", commit);
        start().restore(connection);

        assertThat(SET).isEmpty();
    }

    @Test
    void h2IsNotAsked() throws SQLException {
        execute("DROP TABLE pg_settings");
        Durability.check(connection, DatabaseProduct.H2, "server 1").restore(connection);

        assertThat(SET).isEmpty();
    }
}

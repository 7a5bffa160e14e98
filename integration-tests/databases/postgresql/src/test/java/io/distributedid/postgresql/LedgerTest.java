package io.distributedid.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.ledger.SqlLedger;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.testkit.ServerLedgerContract;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LedgerTest extends ServerLedgerContract {

    @BeforeAll
    static void createSchema() throws SQLException {
        try (Connection connection = DriverManager.getConnection(Postgres.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA ledger");
        }
    }

    private static String url() {
        return Postgres.url() + "&currentSchema=ledger";
    }

    @Override
    protected int port() {
        return URI.create(Postgres.url().substring("jdbc:".length())).getPort();
    }

    @Override
    protected Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    @Override
    protected Connection connectAs(String user) throws SQLException {
        return DriverManager.getConnection(url().replace("user=postgres", "user=" + user + "&password=secret"));
    }

    @Override
    protected Connection connectTo(int port) throws SQLException {
        return DriverManager.getConnection(url().replace(":" + port() + "/", ":" + port + "/"));
    }

    @Override
    protected List<String> createUser(String user) {
        return List.of("CREATE USER " + user + " PASSWORD 'secret'", "GRANT USAGE ON SCHEMA ledger TO " + user);
    }

    @Override
    protected String waiting() {
        return "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    }

    /** Equal texts of this database are equal in all characters, unless a collation says otherwise that nobody has. */
    @Override
    protected String caselessType() {
        return "";
    }

    @Test
    void aTableThatACrashEmptiesIsRefused() throws SQLException {
        LedgerSql sql = new LedgerSql(DatabaseProduct.POSTGRESQL, "unlogged");
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql.ddl());
            statement.execute("ALTER TABLE unlogged SET UNLOGGED");
            assertThatThrownBy(() -> SqlLedger.open(connection, sql, false, "db1"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("The ledger must not lose rows in a crash: table=unlogged on db1 relpersistence=u,"
                            + " allowed: relpersistence=p. Change it: ALTER TABLE unlogged SET LOGGED");

            statement.execute("ALTER TABLE unlogged SET LOGGED");
            assertThat(SqlLedger.open(connection, sql, false, "db1")
                            .read(List.of("photos"))
                            .rows())
                    .isEmpty();
        }
    }
}

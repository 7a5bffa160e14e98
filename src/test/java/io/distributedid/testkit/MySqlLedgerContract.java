package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.ledger.SqlLedger;
import io.distributedid.internal.place.RememberedPlaces;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Index;
import org.junit.jupiter.api.Test;

/** MySQL and MariaDB. */
public abstract class MySqlLedgerContract extends ServerLedgerContract {

    private static final String SCHEMA = "ledger";

    protected abstract DatabaseServer server();

    /** A URL for the driver that the test uses. */
    protected String url() {
        return server().jdbcUrl(SCHEMA);
    }

    @Override
    protected int port() {
        return server().port();
    }

    @Override
    protected Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    @Override
    protected Connection connectAs(String user) throws SQLException {
        return DriverManager.getConnection(url().replace(
                        "user=root&password=&createDatabaseIfNotExist=true", "user=" + user + "&password=secret"));
    }

    @Override
    protected Connection connectTo(int port) throws SQLException {
        return DriverManager.getConnection(url().replace(":" + port() + "/", ":" + port + "/"));
    }

    /** Who has no right to any table of a schema may not connect to it. */
    @Override
    protected List<String> createUser(String user) {
        return List.of(
                "CREATE USER " + user + " IDENTIFIED BY 'secret'",
                "CREATE TABLE of_" + user + " (id INT PRIMARY KEY)",
                "GRANT SELECT ON of_" + user + " TO " + user);
    }

    @Override
    protected String waiting() {
        return "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
    }

    @Override
    protected String caselessType() {
        return "VARCHAR(160) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci";
    }

    @Test
    void aTableWithoutRowLocksIsRefused() throws SQLException {
        LedgerSql sql = new LedgerSql(DatabaseProduct.of(connection()), SCHEMA + ".ledger_isam");
        execute(sql.ddl(), "ALTER TABLE ledger_isam ENGINE=MyISAM");

        assertThatThrownBy(() -> SqlLedger.open(connection(), sql, true, "here"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("The ledger must keep row locks, and have one row for each name: table=ledger.ledger_isam"
                        + " on here engine=MyISAM keys=[[name]], allowed: engine=InnoDB with the key [name]. Change it:"
                        + " ALTER TABLE ledger.ledger_isam ENGINE=InnoDB; or as in: " + sql.ddl());
    }

    /** A server that is no node of Galera may have the variable all the same. */
    @Test
    void aNodeOfGaleraIsToldToWaitForASynchronisedReadOnly() throws SQLException {
        String name = row(client(), name(), 1).name();
        CountedTrips server = new CountedTrips(this::connect);
        Connection connection = kept(server.getConnection());
        SqlLedger ledger = ledger(connection);
        boolean isGalera = isGalera(connection);
        if (isGalera) {
            set(connection, "SET SESSION wsrep_sync_wait = 4");
        }
        List<String> unused = server.take();

        assertThat(ledger.read(List.of(name)).rows()).containsOnlyKeys(name);
        assertThat(server.take()).singleElement().asString().startsWith("SELECT ");
        assertThat(ledger.read(List.of(name), true).rows()).containsOnlyKeys(name);

        List<String> sent = server.take();
        if (isGalera) {
            assertThat(sent)
                    .hasSize(4)
                    .contains("SET SESSION wsrep_sync_wait = 1", Index.atIndex(1))
                    .contains("SET SESSION wsrep_sync_wait = 4", Index.atIndex(3));
        } else {
            assertThat(sent).hasSize(2);
        }
    }

    private static boolean isGalera(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW SESSION VARIABLES LIKE 'wsrep_sync_wait'")) {
            return row.next();
        }
    }

    private static void set(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void placesMayLieInASchemaWhoseNameIsQuoted() throws SQLException {
        execute("DROP DATABASE IF EXISTS `ledger-of-entities`", "CREATE DATABASE `ledger-of-entities`");
        Optional<String> schema = Optional.of("`ledger-of-entities`");

        new RememberedPlaces(connection(), schema, "here").check(spaces("a", "photos"));

        assertThat(new RememberedPlaces(connection(), schema, "here").token("photos"))
                .contains("a");
    }
}

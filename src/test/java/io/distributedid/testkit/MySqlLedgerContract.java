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
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
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
                .hasMessage("The ledger must keep row locks, and have one row of a name: table=ledger.ledger_isam on"
                        + " here engine=MyISAM keys=[[name]], allowed: engine=InnoDB with the key [name]. Change it:"
                        + " ALTER TABLE ledger.ledger_isam ENGINE=InnoDB; or as in: " + sql.ddl());
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

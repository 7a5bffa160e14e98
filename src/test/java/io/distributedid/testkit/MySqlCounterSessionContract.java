package io.distributedid.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** MySQL and MariaDB, with a driver and settings of its URL. */
public abstract class MySqlCounterSessionContract extends SqlCounterSessionContract {

    private static final String ROOT = "user=root&password=";

    private final String schema = "ledger_session_" + getClass().getSimpleName().toLowerCase(Locale.ROOT);

    /** The URL of a schema. */
    protected abstract String url(String name);

    @Override
    protected Connection connect() throws SQLException {
        return DriverManager.getConnection(url(schema));
    }

    @Override
    protected Connection connectAs(String user) throws SQLException {
        return DriverManager.getConnection(url(schema)
                .replace(ROOT, "user=" + user + "&password=secret")
                .replace("&createDatabaseIfNotExist=true", ""));
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
    protected String limit() {
        return "SELECT @@SESSION.innodb_lock_wait_timeout";
    }

    @Override
    protected String schema() {
        return schema;
    }

    @Override
    protected String caselessType() {
        return "VARCHAR(50) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci";
    }
}

package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.postgresql.Postgres;
import io.distributedid.testkit.SqlCounterSessionContract;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;

class SequenceTableSessionTest extends SqlCounterSessionContract {

    private static final String SCHEMA = "ledger_session";

    @BeforeAll
    static void createSchema() throws SQLException {
        try (Connection connection = DriverManager.getConnection(Postgres.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + SCHEMA);
        }
    }

    private static String url() {
        return Postgres.url() + "&currentSchema=" + SCHEMA;
    }

    @Override
    protected Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    @Override
    protected CounterSession open(Connection connection, String label, Numbering numbering, boolean create)
            throws SQLException {
        return new SequenceTableSession(connection, label, numbering, create);
    }

    @Override
    protected Connection connectAs(String user) throws SQLException {
        return DriverManager.getConnection(url().replace("user=postgres", "user=" + user + "&password=secret"));
    }

    @Override
    protected List<String> createUser(String user) {
        return List.of(
                "CREATE USER " + user + " PASSWORD 'secret'",
                "GRANT USAGE ON SCHEMA " + SCHEMA + " TO " + user,
                "GRANT EXECUTE ON FUNCTION pg_control_system() TO " + user);
    }

    @Override
    protected String waiting() {
        return "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    }

    @Override
    protected String limit() {
        return "SELECT setting FROM pg_settings WHERE name = 'lock_timeout'";
    }

    @Override
    protected String schema() {
        return SCHEMA;
    }

    /** Equal texts of this database are equal in all characters, unless a collation says otherwise that nobody has. */
    @Override
    protected String caselessType() {
        return "";
    }
}

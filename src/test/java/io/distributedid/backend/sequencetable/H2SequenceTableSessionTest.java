package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.SqlCounterSessionContract;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class H2SequenceTableSessionTest extends SqlCounterSessionContract {

    private static final String DATABASE = "ledger_session";

    @AfterAll
    static void drop() throws SQLException {
        H2Servers.drop(DATABASE);
    }

    @Override
    protected Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:h2:mem:" + DATABASE + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=120000");
    }

    @Override
    protected Connection connectAs(String user) throws SQLException {
        return DriverManager.getConnection("jdbc:h2:mem:" + DATABASE, user, "secret");
    }

    @Override
    protected List<String> createUser(String user) {
        return List.of("CREATE USER " + user + " PASSWORD 'secret'");
    }

    @Override
    protected CounterSession open(Connection connection, String label, Numbering numbering, boolean create)
            throws SQLException {
        return new SequenceTableSession(connection, label, numbering, create);
    }

    @Override
    protected String waiting() {
        return "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE BLOCKER_ID IS NOT NULL";
    }

    @Override
    protected String limit() {
        return "CALL LOCK_TIMEOUT()";
    }

    @Override
    protected String schema() {
        return "PUBLIC";
    }

    @Override
    protected String caselessType() {
        return "VARCHAR_IGNORECASE(50)";
    }
}

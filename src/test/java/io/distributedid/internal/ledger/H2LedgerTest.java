package io.distributedid.internal.ledger;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.SqlLedgerContract;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** H2 stands in for other databases. */
@Tag("slow")
class H2LedgerTest {

    @Nested
    class RegularTest extends OfMode {
        RegularTest() {
            super("REGULAR");
        }
    }

    /** Stores an empty text as NULL. */
    @Nested
    class OracleTest extends OfMode {
        OracleTest() {
            super("Oracle;DEFAULT_NULL_ORDERING=HIGH");
        }
    }

    @Nested
    class SqlServerTest extends OfMode {
        SqlServerTest() {
            super("MSSQLServer;DATABASE_TO_UPPER=FALSE");
        }
    }

    @Nested
    class CaselessTest extends OfMode {
        CaselessTest() {
            super("LEGACY;IGNORECASE=TRUE");
        }
    }

    @TestInstance(Lifecycle.PER_CLASS)
    private abstract static class OfMode extends SqlLedgerContract {

        private final String database = "ledger_" + getClass().getSimpleName();

        private final String mode;

        OfMode(String mode) {
            this.mode = mode;
        }

        @AfterAll
        void drop() throws SQLException {
            H2Servers.drop(database);
        }

        /** H2 lets clients that wait for a row overtake each other, so one of them may wait for long. */
        private String url() {
            return "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=120000;MODE=" + mode;
        }

        @Override
        protected Connection connect() throws SQLException {
            return DriverManager.getConnection(url());
        }

        @Override
        protected Connection connectAs(String user) throws SQLException {
            return DriverManager.getConnection("jdbc:h2:mem:" + database, user, "secret");
        }

        @Override
        protected List<String> createUser(String user) {
            return List.of("CREATE USER " + user + " PASSWORD 'secret'");
        }

        @Override
        protected String waiting() {
            return "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE BLOCKER_ID IS NOT NULL";
        }

        @Override
        protected String caselessType() {
            return "VARCHAR_IGNORECASE(160)";
        }
    }
}

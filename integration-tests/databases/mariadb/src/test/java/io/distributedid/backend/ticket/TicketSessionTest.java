package io.distributedid.backend.ticket;

import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.mariadb.MariaDbServers;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.TicketSessionContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.Nested;

class TicketSessionTest {

    @Needs(Need.MARIADB)
    private abstract static class OnServer extends TicketSessionContract {

        private final String settings;

        OnServer(String settings) {
            this.settings = settings;
        }

        @Override
        protected CounterSession open(Connection connection, String label, Numbering numbering, boolean create)
                throws SQLException {
            return new TicketSession(
                    connection,
                    label,
                    Optional.of(numbering),
                    new TicketTable("", TicketTable.Style.REPLACE, 64),
                    create);
        }

        @Override
        protected String url(String schema) {
            return MariaDbServers.odd().jdbcUrl(schema) + settings;
        }
    }

    @Nested
    class OneStatementATripTest extends OnServer {

        OneStatementATripTest() {
            super("");
        }
    }

    @Nested
    class ManyStatementsATripTest extends OnServer {

        ManyStatementsATripTest() {
            super("&allowMultiQueries=true");
        }
    }

    @Nested
    class PreparedOnTheServerTest extends OnServer {

        PreparedOnTheServerTest() {
            super("&allowMultiQueries=true&useServerPrepStmts=true");
        }
    }

    @Nested
    class DriverOfMySqlTest extends OnServer {

        DriverOfMySqlTest() {
            super("&allowMultiQueries=true");
        }

        @Override
        protected String url(String schema) {
            return MariaDbServers.odd().mySqlJdbcUrl(schema) + "&allowMultiQueries=true";
        }
    }
}

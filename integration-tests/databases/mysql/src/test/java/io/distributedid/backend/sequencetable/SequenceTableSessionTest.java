package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.mysql.MySqlServers;
import io.distributedid.testkit.MySqlCounterSessionContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Nested;

class SequenceTableSessionTest {

    @Needs(Need.MYSQL)
    private abstract static class OnServer extends MySqlCounterSessionContract {

        private final String settings;

        OnServer(String settings) {
            this.settings = settings;
        }

        @Override
        protected CounterSession open(Connection connection, String label, Numbering numbering, boolean create)
                throws SQLException {
            return new SequenceTableSession(connection, label, numbering, create);
        }

        @Override
        protected String url(String schema) {
            return MySqlServers.shard(0).jdbcUrl(schema) + settings;
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
            super("&allowMultiQueries=true&useServerPrepStmts=true&cachePrepStmts=true"
                    + "&sessionVariables=transaction_isolation='READ-COMMITTED'");
        }
    }
}

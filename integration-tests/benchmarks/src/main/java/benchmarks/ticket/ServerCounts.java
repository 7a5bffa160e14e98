package benchmarks.ticket;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What servers have counted themselves.
 *
 * @param deadlocks found by InnoDB, whoever was told of them
 * @param statements sent by others than the observers, each in a round trip of its own
 */
record ServerCounts(long deadlocks, long statements) {

    private static final String DEADLOCKS =
            "SELECT `count` FROM information_schema.innodb_metrics WHERE name = 'lock_deadlocks' AND status ="
                    + " 'enabled'";

    private static final String STATEMENTS = "SELECT everybody.variable_value - mine.variable_value"
            + " FROM performance_schema.global_status everybody JOIN performance_schema.session_status mine"
            + " USING (variable_name) WHERE variable_name = 'Questions'";

    static ServerCounts read(Iterable<Connection> observers) throws SQLException {
        long deadlocks = 0;
        long statements = 0;
        for (Connection observer : observers) {
            deadlocks += number(observer, DEADLOCKS);
            statements += number(observer, STATEMENTS);
        }
        return new ServerCounts(deadlocks, statements);
    }

    private static long number(Connection observer, String query) throws SQLException {
        try (Statement statement = observer.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            if (!result.next()) {
                throw new SQLException("The server does not count that: " + query);
            }
            return result.getLong(1);
        }
    }
}

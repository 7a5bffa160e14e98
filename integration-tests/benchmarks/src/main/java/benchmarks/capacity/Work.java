package benchmarks.capacity;

import benchmarks.MySql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/**
 * What servers have done, all together.
 *
 * @param nanos when it was read
 * @param statements that clients have sent, each of several in one packet counts
 * @param writes transactions in the binary log
 * @param cpu of the servers' processes
 */
record Work(long nanos, long statements, long writes, Duration cpu) {

    /** Since they were started. */
    static Work of(List<MySql> servers) throws SQLException {
        long statements = 0;
        long writes = 0;
        Duration cpu = Duration.ZERO;
        for (MySql server : servers) {
            try (Connection connection = DriverManager.getConnection(server.url("capacity"));
                    Statement statement = connection.createStatement()) {
                statements += status(statement, "Questions");
                writes += status(statement, "Binlog_cache_use");
            }
            cpu = cpu.plus(server.cpu());
        }
        return new Work(System.nanoTime(), statements, writes, cpu);
    }

    private static long status(Statement statement, String name) throws SQLException {
        try (ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE '" + name + "'")) {
            row.next();
            return row.getLong(2);
        }
    }

    Work since(Work before) {
        return new Work(
                nanos - before.nanos, statements - before.statements, writes - before.writes, cpu.minus(before.cpu));
    }

    double perSecond(double count) {
        return count / nanos * 1e9;
    }
}

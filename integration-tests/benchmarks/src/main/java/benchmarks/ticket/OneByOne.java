package benchmarks.ticket;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An id for each statement, on a connection of its own in autocommit mode; the victim of a deadlock tries again at
 * once. After a hundred in a row it pauses first: with 32 clients on one row, a transaction was seen to wait five
 * minutes for victims that came back at once, while nobody got an id.
 */
final class OneByOne implements Source {

    /** How the id that the server gave gets to the client. */
    enum Answer {

        /** With the answer to the statement itself. */
        GENERATED_KEY,

        /** Asked for: after a REPLACE the driver's generated keys are wrong. */
        LAST_INSERT_ID
    }

    private static final int DEADLOCK = 1213;

    private static final int AT_ONCE = 100;

    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Connection connection;

    private final String draw;

    private final Answer answer;

    private long deadlocks;

    OneByOne(Connection connection, String draw, Answer answer) {
        this.connection = connection;
        this.draw = draw;
        this.answer = answer;
    }

    @Override
    public long next() throws SQLException {
        for (int inARow = 1; ; inARow++) {
            try {
                return draw();
            } catch (SQLException e) {
                if (e.getErrorCode() != DEADLOCK) {
                    throw e;
                }
                deadlocks++;
                if (inARow > AT_ONCE) {
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
                }
            }
        }
    }

    private long draw() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (answer == Answer.GENERATED_KEY) {
                statement.executeUpdate(draw, Statement.RETURN_GENERATED_KEYS);
                return read(statement.getGeneratedKeys());
            }
            statement.executeUpdate(draw);
            return read(statement.executeQuery("SELECT LAST_INSERT_ID()"));
        }
    }

    private static long read(ResultSet result) throws SQLException {
        try (result) {
            result.next();
            return result.getLong(1);
        }
    }

    @Override
    public long deadlocks() {
        return deadlocks;
    }
}

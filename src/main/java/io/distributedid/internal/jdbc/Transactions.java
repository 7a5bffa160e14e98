package io.distributedid.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Transactions on a connection that is otherwise in autocommit mode. */
public final class Transactions {

    private static final int RETRIES = 20;

    private static final long LONGEST_PAUSE_MILLIS = 40;

    private Transactions() {}

    /** Runs the work in a transaction, and repeats it after a deadlock. If it fails, nothing is changed. */
    public static <T> T run(Connection connection, SqlSupplier<T> work) throws SQLException {
        return repeat(() -> once(connection, work));
    }

    /** Runs work that a deadlock ends without a trace, and repeats it then. */
    public static <T> T repeat(SqlSupplier<T> work) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return work.get();
            } catch (SQLException e) {
                if (!SqlErrors.isDeadlock(e) || attempt > RETRIES) {
                    throw e;
                }
            }
            pause(attempt);
        }
    }

    /** Waits a random time before what a deadlock has ended is repeated. {@code attempt} counts from 1. */
    public static void pause(int attempt) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(
                ThreadLocalRandom.current().nextLong(1, Math.min(LONGEST_PAUSE_MILLIS, 2 + 2L * attempt))));
    }

    private static <T> T once(Connection connection, SqlSupplier<T> work) throws SQLException {
        connection.setAutoCommit(false);
        T result;
        try {
            result = work.get();
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            rollBack(connection, e);
            throw e;
        }
        connection.setAutoCommit(true);
        return result;
    }

    /** Rolls back after {@code reason}. If that fails too, {@code reason} stays the error. */
    public static void rollBack(Connection connection, Exception reason) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }
}

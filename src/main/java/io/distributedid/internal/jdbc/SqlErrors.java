package io.distributedid.internal.jdbc;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** What an SQLState means on the databases we know. */
public final class SqlErrors {

    /** PostgreSQL, the standard, H2, and Connector/J for a connection that is set to reading only. */
    private static final Set<String> READ_ONLY_STATES = Set.of("25006", "90097", "S1009");

    /** MySQL and MariaDB: read_only, innodb_read_only, a transaction for reading, a super_read_only schema. */
    private static final Set<Integer> READ_ONLY_CODES = Set.of(1036, 1290, 1792, 1874, 1836, 3989);

    private static final Set<String> TIMEOUT_STATES = Set.of("HYT00", "57014", "55P03");

    private static final Set<Integer> TIMEOUT_CODES = Set.of(3024, 1969, 1317, 1205);

    private SqlErrors() {}

    /**
     * No such table: 42S02 (MySQL, MariaDB, H2), 42S03 and 42S04 (H2), 42P01 (PostgreSQL).
     *
     * @param e from the driver
     * @return whether the table is missing
     */
    public static boolean tableIsMissing(SQLException e) {
        String state = state(e);
        return state.equals("42S02") || state.equals("42S03") || state.equals("42S04") || state.equals("42P01");
    }

    /**
     * There is such a table: 42P07, or 42710, the table's type, of a table that is being created (PostgreSQL).
     *
     * @param e from the driver
     * @return whether a table was there before
     */
    public static boolean tableExists(SQLException e) {
        return state(e).equals("42P07") || state(e).equals("42710");
    }

    /**
     * The row exists: 23000 (MySQL, MariaDB), 23505 (H2, PostgreSQL).
     *
     * @param e from the driver
     * @return whether a key was there before
     */
    public static boolean isDuplicateKey(SQLException e) {
        return state(e).equals("23000") || state(e).equals("23505");
    }

    /**
     * The transaction was chosen to end a deadlock, and left no trace: 40001; 40P01 (PostgreSQL).
     *
     * @param e from the driver
     * @return whether to do the same again
     */
    public static boolean isDeadlock(SQLException e) {
        return state(e).equals("40001") || state(e).equals("40P01");
    }

    /**
     * A number is too large for its column: 22003.
     *
     * @param e from the driver
     * @return whether a counter has come to its end
     */
    public static boolean isOutOfRange(SQLException e) {
        return state(e).equals("22003");
    }

    /**
     * No such function, or no such schema: 42883 and 3F000 (PostgreSQL).
     *
     * @param e from the driver
     * @return whether the function is missing
     */
    public static boolean functionIsMissing(SQLException e) {
        return state(e).equals("42883") || state(e).equals("3F000");
    }

    /**
     * The user lacks a privilege: 42501 (PostgreSQL).
     *
     * @param e from the driver
     * @return whether something was not allowed
     */
    public static boolean isDenied(SQLException e) {
        return state(e).equals("42501");
    }

    /**
     * The statement can't be run, whoever repeats it: class 42, and 90096 (H2: not enough rights). So says MySQL of a
     * table that is missing, or that the user may not see.
     *
     * @param e from the driver
     * @return whether a table or a privilege is missing
     */
    public static boolean isSyntaxOrAccess(SQLException e) {
        return state(e).startsWith("42") || state(e).equals("90096");
    }

    /**
     * The server refuses whoever asks like this: class 42; 28, wrong user or password; 3D, no such database
     * (PostgreSQL).
     *
     * @param e from the driver
     * @return whether settings or privileges must be changed first
     */
    public static boolean isRefusal(SQLException e) {
        return isSyntaxOrAccess(e) || state(e).startsWith("28") || state(e).startsWith("3D");
    }

    /**
     * Whether a database or a transaction takes no writes.
     *
     * @param e what a server said
     * @return whether a write failed for that
     */
    public static boolean isReadOnly(SQLException e) {
        return READ_ONLY_STATES.contains(state(e)) || READ_ONLY_CODES.contains(e.getErrorCode());
    }

    /**
     * No answer in time: HYT00 (H2, for a lock), 57014 (PostgreSQL, H2), 55P03 (PostgreSQL, for a lock), 3024, 1317 and
     * 1205 (MySQL, MariaDB), 1969 (MariaDB), or the driver waited long enough.
     *
     * @param e from the driver
     * @return whether the server may be too slow, or hang
     */
    public static boolean isTimeout(SQLException e) {
        return e instanceof SQLTimeoutException
                || TIMEOUT_STATES.contains(state(e))
                || TIMEOUT_CODES.contains(e.getErrorCode())
                || isUnanswered(e);
    }

    /**
     * The driver gave up waiting, and the connection is of no more use.
     *
     * @param e from the driver
     * @return whether the server may hang
     */
    public static boolean isUnanswered(SQLException e) {
        return Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
                .anyMatch(SocketTimeoutException.class::isInstance);
    }

    private static String state(SQLException e) {
        return e.getSQLState() == null ? "" : e.getSQLState();
    }
}

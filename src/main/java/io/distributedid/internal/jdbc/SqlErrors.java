package io.distributedid.internal.jdbc;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The meaning of SQLStates, of five characters, and of error codes on MySQL, MariaDB, PostgreSQL and H2. */
public final class SqlErrors {

    private SqlErrors() {}

    /** Whether the state or the code is one of those, separated by spaces. */
    private static boolean is(SQLException e, String statesAndCodes) {
        List<String> all = List.of(statesAndCodes.split(" ", -1));
        return all.contains(state(e)) || all.contains(Integer.toString(e.getErrorCode()));
    }

    private static String state(SQLException e) {
        return e.getSQLState() == null ? "" : e.getSQLState();
    }

    /** The table does not exist: 42S02 (MySQL, MariaDB, H2), 42S03 and 42S04 (H2), 42P01 (PostgreSQL). */
    public static boolean tableIsMissing(SQLException e) {
        return is(e, "42S02 42S03 42S04 42P01");
    }

    /** The user has no right to the table, which perhaps does not exist: 1142 (MySQL, MariaDB). */
    public static boolean tableMayBeMissing(SQLException e) {
        return is(e, "1142") && is(e, "42000");
    }

    /**
     * The table exists already: 42S01 (MySQL, MariaDB, H2); 42P07, or 42710 on the type of a table that another session
     * creates (PostgreSQL).
     */
    public static boolean tableExists(SQLException e) {
        return is(e, "42S01 42P07 42710");
    }

    /** The key exists already: 23000 (MySQL, MariaDB), 23505 (H2, PostgreSQL). */
    public static boolean isDuplicateKey(SQLException e) {
        return is(e, "23000 23505");
    }

    /**
     * A deadlock victim, rolled back without a trace; the transaction can be repeated: 40001; 40P01 (PostgreSQL). A
     * lock wait timeout is none, though MySQL's driver gives it the state 40001: it has lasted up to 50 s, and leaves
     * the transaction open.
     */
    public static boolean isDeadlock(SQLException e) {
        return is(e, "40001 40P01") && !isLockWaitTimeout(e);
    }

    /**
     * Another transaction held a lock for too long: 1205 (MySQL, MariaDB; the transaction is still open), 55P03
     * (PostgreSQL), 50200 (H2).
     */
    public static boolean isLockWaitTimeout(SQLException e) {
        return is(e, "1205 50200 55P03");
    }

    /**
     * The number is too large for its column, so the counter is at its end: 22003; 1690 (MySQL, to which its driver
     * gives another state).
     */
    public static boolean isOutOfRange(SQLException e) {
        return is(e, "22003 1690");
    }

    /** The function or its schema does not exist: 42883 and 3F000 (PostgreSQL). */
    public static boolean functionIsMissing(SQLException e) {
        return is(e, "42883 3F000");
    }

    /** The server does not accept the value of a setting: 22023 (PostgreSQL). */
    public static boolean isInvalidSetting(SQLException e) {
        return is(e, "22023");
    }

    /** The user lacks a privilege: 42501 (PostgreSQL), 90096 (H2), 1143 (MySQL, MariaDB; to a column). */
    public static boolean isDenied(SQLException e) {
        return is(e, "42501 90096 1143");
    }

    /**
     * A table or a privilege is missing; a retry does not help: class 42, and 90096 (H2: not enough rights). MySQL
     * reports both a missing table and one that the user may not see in this way.
     */
    public static boolean isSyntaxOrAccess(SQLException e) {
        return state(e).startsWith("42") || isDenied(e);
    }

    /**
     * Settings or privileges must change before a retry: class 42; 28, wrong user or password; 3D, no such database
     * (PostgreSQL).
     */
    public static boolean isRefusal(SQLException e) {
        return isSyntaxOrAccess(e) || isWrongPassword(e) || isWrongDatabase(e);
    }

    /**
     * A statement fails again until an operator acts: a missing table or privilege; or {@code binlog_format=STATEMENT}
     * at READ COMMITTED, 1665 (MySQL, MariaDB). A failover ends {@link #isReadOnly}.
     */
    public static boolean isPermanent(SQLException e) {
        return (isSyntaxOrAccess(e) && !isWrongDatabase(e)) || is(e, "1665");
    }

    /** The user or the password is wrong: class 28. */
    public static boolean isWrongPassword(SQLException e) {
        return state(e).startsWith("28");
    }

    /** No such database: 3D (PostgreSQL), 1049 (MySQL, MariaDB); or the user may not use it: 1044 (MySQL, MariaDB). */
    public static boolean isWrongDatabase(SQLException e) {
        return state(e).startsWith("3D") || (is(e, "42000") && is(e, "1049 1044"));
    }

    /**
     * A write failed because the server, the schema or the transaction is read-only: 25006 (PostgreSQL and the
     * standard), 90097 (H2), S1009 (Connector/J on a read-only connection); 1036, 1290, 1792, 1874, 1836 and 3989
     * (MySQL, MariaDB).
     */
    public static boolean isReadOnly(SQLException e) {
        return is(e, "25006 90097 S1009 1036 1290 1792 1874 1836 3989");
    }

    /**
     * No answer in time, so the server may be slow or hang: HYT00 (H2, lock wait), 57014 (PostgreSQL, H2), 55P03
     * (PostgreSQL, lock wait), 3024, 1317 and 1205 (MySQL, MariaDB), 1969 (MariaDB), or a timeout of the driver.
     */
    public static boolean isTimeout(SQLException e) {
        return e instanceof SQLTimeoutException || is(e, "HYT00 57014 55P03 3024 1317 1205 1969") || isUnanswered(e);
    }

    /** A socket timeout of the driver: the server may hang, and the connection is unusable. */
    public static boolean isUnanswered(SQLException e) {
        return isCausedBy(e, SocketTimeoutException.class);
    }

    static boolean isCausedBy(SQLException e, Class<? extends Exception> type) {
        return Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
                .anyMatch(type::isInstance);
    }
}

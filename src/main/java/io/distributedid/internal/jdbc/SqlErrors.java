package io.distributedid.internal.jdbc;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The meaning of SQLStates and error codes on MySQL, MariaDB, PostgreSQL and H2. */
public final class SqlErrors {

    /** PostgreSQL and the standard; H2; Connector/J on a read-only connection. */
    private static final Set<String> READ_ONLY_STATES = Set.of("25006", "90097", "S1009");

    /** MySQL and MariaDB: read_only, innodb_read_only, a READ ONLY transaction, a READ ONLY schema. */
    private static final Set<Integer> READ_ONLY_CODES = Set.of(1036, 1290, 1792, 1874, 1836, 3989);

    private static final int LOCK_TIMEOUT_OF_H2 = 50200;

    /** Of PostgreSQL. */
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private static final Set<String> TIMEOUT_STATES = Set.of("HYT00", "57014", LOCK_NOT_AVAILABLE);

    /** ER_LOCK_WAIT_TIMEOUT of MySQL and MariaDB. */
    private static final int LOCK_WAIT_TIMEOUT = 1205;

    /** ER_COLUMNACCESS_DENIED_ERROR of MySQL and MariaDB. */
    private static final int COLUMN_DENIED = 1143;

    /** ER_DATA_OUT_OF_RANGE of MySQL and MariaDB. */
    private static final int OUT_OF_RANGE = 1690;

    /** ER_BINLOG_STMT_MODE_AND_ROW_ENGINE of MySQL and MariaDB. */
    private static final int NOT_LOGGED = 1665;

    private static final Set<Integer> TIMEOUT_CODES = Set.of(3024, 1969, 1317, LOCK_WAIT_TIMEOUT);

    private SqlErrors() {}

    /** The table does not exist: 42S02 (MySQL, MariaDB, H2), 42S03 and 42S04 (H2), 42P01 (PostgreSQL). */
    public static boolean tableIsMissing(SQLException e) {
        String state = state(e);
        return state.equals("42S02") || state.equals("42S03") || state.equals("42S04") || state.equals("42P01");
    }

    /** The user has no right to the table, which perhaps does not exist: 1142 (MySQL, MariaDB). */
    public static boolean tableMayBeMissing(SQLException e) {
        return e.getErrorCode() == 1142 && state(e).equals("42000");
    }

    /**
     * The table exists already: 42S01 (MySQL, MariaDB, H2); 42P07, or 42710 on the type of a table that another session
     * creates (PostgreSQL).
     */
    public static boolean tableExists(SQLException e) {
        return state(e).equals("42S01") || state(e).equals("42P07") || state(e).equals("42710");
    }

    /** The key exists already: 23000 (MySQL, MariaDB), 23505 (H2, PostgreSQL). */
    public static boolean isDuplicateKey(SQLException e) {
        return state(e).equals("23000") || state(e).equals("23505");
    }

    /**
     * A deadlock victim, rolled back without a trace; the transaction can be repeated: 40001; 40P01 (PostgreSQL). A
     * lock wait timeout is none, though MySQL's driver gives it the state 40001: it has lasted up to 50 s, and leaves
     * the transaction open.
     */
    public static boolean isDeadlock(SQLException e) {
        return e.getErrorCode() != LOCK_WAIT_TIMEOUT && (state(e).equals("40001") || state(e).equals("40P01"));
    }

    /**
     * Another transaction held a lock for too long: 1205 (MySQL, MariaDB; the transaction is still open), 55P03
     * (PostgreSQL), 50200 (H2).
     */
    public static boolean isLockWaitTimeout(SQLException e) {
        return e.getErrorCode() == LOCK_WAIT_TIMEOUT
                || e.getErrorCode() == LOCK_TIMEOUT_OF_H2
                || state(e).equals(LOCK_NOT_AVAILABLE);
    }

    /**
     * The number is too large for its column, so the counter is at its end: 22003; 1690 (MySQL, to which its driver
     * gives another state).
     */
    public static boolean isOutOfRange(SQLException e) {
        return state(e).equals("22003") || e.getErrorCode() == OUT_OF_RANGE;
    }

    /** The function or its schema does not exist: 42883 and 3F000 (PostgreSQL). */
    public static boolean functionIsMissing(SQLException e) {
        return state(e).equals("42883") || state(e).equals("3F000");
    }

    /** The server does not accept the value of a setting: 22023 (PostgreSQL). */
    public static boolean isInvalidSetting(SQLException e) {
        return state(e).equals("22023");
    }

    /** The user lacks a privilege: 42501 (PostgreSQL), 90096 (H2), 1143 (MySQL, MariaDB; to a column). */
    public static boolean isDenied(SQLException e) {
        return state(e).equals("42501") || state(e).equals("90096") || e.getErrorCode() == COLUMN_DENIED;
    }

    /**
     * A table or a privilege is missing; a retry does not help: class 42, and 90096 (H2: not enough rights). MySQL
     * reports both a missing table and one that the user may not see in this way.
     */
    public static boolean isSyntaxOrAccess(SQLException e) {
        return state(e).startsWith("42") || state(e).equals("90096");
    }

    /**
     * Settings or privileges must change before a retry: class 42; 28, wrong user or password; 3D, no such database
     * (PostgreSQL).
     */
    public static boolean isRefusal(SQLException e) {
        return isSyntaxOrAccess(e) || isWrongPassword(e) || state(e).startsWith("3D");
    }

    /**
     * A statement fails again until an operator acts: a missing table or privilege; or {@code binlog_format=STATEMENT}
     * at READ COMMITTED (MySQL, MariaDB). A failover ends {@link #isReadOnly}.
     */
    public static boolean isPermanent(SQLException e) {
        return (isSyntaxOrAccess(e) && !isWrongDatabase(e)) || e.getErrorCode() == NOT_LOGGED;
    }

    /** The user or the password is wrong: class 28. */
    public static boolean isWrongPassword(SQLException e) {
        return state(e).startsWith("28");
    }

    /** No such database: 3D (PostgreSQL), 1049 (MySQL, MariaDB); or the user may not use it: 1044 (MySQL, MariaDB). */
    public static boolean isWrongDatabase(SQLException e) {
        return state(e).startsWith("3D")
                || (state(e).equals("42000") && (e.getErrorCode() == 1049 || e.getErrorCode() == 1044));
    }

    /** A write failed because the server, the schema or the transaction is read-only. */
    public static boolean isReadOnly(SQLException e) {
        return READ_ONLY_STATES.contains(state(e)) || READ_ONLY_CODES.contains(e.getErrorCode());
    }

    /**
     * No answer in time, so the server may be slow or hang: HYT00 (H2, lock wait), 57014 (PostgreSQL, H2), 55P03
     * (PostgreSQL, lock wait), 3024, 1317 and 1205 (MySQL, MariaDB), 1969 (MariaDB), or a timeout of the driver.
     */
    public static boolean isTimeout(SQLException e) {
        return e instanceof SQLTimeoutException
                || TIMEOUT_STATES.contains(state(e))
                || TIMEOUT_CODES.contains(e.getErrorCode())
                || isUnanswered(e);
    }

    /** A socket timeout of the driver: the server may hang, and the connection is unusable. */
    public static boolean isUnanswered(SQLException e) {
        return Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
                .anyMatch(SocketTimeoutException.class::isInstance);
    }

    private static String state(SQLException e) {
        return e.getSQLState() == null ? "" : e.getSQLState();
    }
}

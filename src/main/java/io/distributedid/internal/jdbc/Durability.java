package io.distributedid.internal.jdbc;

import io.distributedid.internal.process.Pages;
import io.distributedid.spi.DatabaseProduct;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks that a server keeps its commits through a crash. A server that loses commits may give ids again. One query on
 * each new connection:
 *
 * <pre>
 * -- MySQL, MariaDB
 * SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'innodb_flush_log_at_trx_commit', ...);
 * -- PostgreSQL
 * SELECT name, setting FROM pg_settings WHERE name IN ('synchronous_commit', 'fsync', ...) UNION ALL
 *     SELECT 'version', version();
 * </pre>
 *
 * <p>If only the operator can change a setting, a warning is logged, once for each server and process.
 * {@link LookAlikes} are refused. Two settings of PostgreSQL are raised for the session, never lowered;
 * {@link #restore} sets them back:
 *
 * <pre>
 * SELECT set_config(name, 'on', false) FROM pg_settings WHERE name = 'synchronous_commit' AND setting = 'off';
 * SELECT set_config(name, '1000', false) FROM pg_settings
 *     WHERE name = 'client_connection_check_interval' AND setting = '0';
 * </pre>
 *
 * <p>Statements that reserve ids make the commit of their own transaction durable too, see {@link #OF_TRANSACTION}.
 *
 * <p>By the interval, from PostgreSQL 14 on, the server ends a statement whose client is gone. By default, it looks for
 * its client only when it has an answer. So a statement that waits for a lock would wait on after its client has given
 * up and closed the connection, and each retry would add one more. MySQL, MariaDB and H2 limit each wait for a lock
 * themselves. A {@code lock_timeout} would stay in a session that a pooler such as PgBouncer lends to others, and end
 * their waits too. The interval ends nothing that still has a client.
 */
public final class Durability {

    private static final Logger LOG = System.getLogger(Durability.class.getName());

    private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

    private static final String MYSQL = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'version_comment',"
            + " 'aurora_version', 'innodb_flush_log_at_trx_commit', 'innodb_doublewrite', 'log_bin', 'sync_binlog')";

    private static final String POSTGRESQL = "SELECT name, setting FROM pg_settings WHERE name IN"
            + " ('synchronous_commit', 'fsync', 'full_page_writes', 'client_connection_check_interval')"
            + " UNION ALL SELECT 'version', version()";

    /**
     * PostgreSQL: the end of a WHERE clause. It is true, and makes the commit of this transaction durable. Behind a
     * pooler, a transaction may run in a session whose default is weaker than that of the checked one.
     */
    public static final String OF_TRANSACTION = " AND (SELECT set_config('synchronous_commit', CASE"
            + " WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN 'on'"
            + " ELSE current_setting('synchronous_commit') END, true)) IS NOT NULL";

    private record Change(String name, String from, String to) {

        /** Returns whether the session had the value; behind a pooler it may be another session. */
        boolean make(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT set_config(name, '" + to
                            + "', false) FROM pg_settings WHERE name = '" + name + "' AND setting = '" + from + "'")) {
                return row.next();
            } catch (SQLException e) {
                if (!SqlErrors.isInvalidSetting(e)) {
                    throw e;
                }
                LOG.log(Level.DEBUG, "The server's operating system does not tell it that a client is gone", e);
                return false;
            }
        }
    }

    private final Map<String, String> found = new HashMap<>();

    private final List<String> warnings = new ArrayList<>();

    private final List<Change> changes = new ArrayList<>();

    private Durability() {}

    /** Reads the settings, logs warnings and raises those of the session. Needs autocommit mode. */
    public static Durability check(Connection connection, DatabaseProduct product, String label) throws SQLException {
        Durability durability = new Durability();
        if (product != DatabaseProduct.H2) {
            durability.read(connection, product == DatabaseProduct.POSTGRESQL ? POSTGRESQL : MYSQL);
        }
        LookAlikes.refuse(
                durability.value("version"),
                durability.value("version_comment") + " "
                        + connection.getMetaData().getDatabaseProductVersion(),
                label);
        durability.judge(product, label);
        durability.warnings.stream().filter(LOGGED::add).forEach(warning -> LOG.log(Level.WARNING, warning));
        durability.raise(connection, "synchronous_commit", Set.of("off", "local"), "on");
        // In milliseconds.
        durability.raise(connection, "client_connection_check_interval", Set.of("0"), "1000");
        return durability;
    }

    private void read(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                found.put(row.getString(1).toLowerCase(Locale.ROOT), row.getString(2));
            }
        }
    }

    /** Empty if the server does not have it. */
    private String value(String name) {
        return found.getOrDefault(name, "");
    }

    private boolean isOff(String name) {
        return value(name).equals("0") || value(name).equalsIgnoreCase("OFF");
    }

    private void judge(DatabaseProduct product, String label) {
        // On MariaDB, 3 is 1 with one more flush.
        Set<String> flushes = product == DatabaseProduct.MARIADB ? Set.of("", "1", "3") : Set.of("", "1");
        String flush = "innodb_flush_log_at_trx_commit";
        warn(!flushes.contains(value(flush)), label, flush, "1", "my.cnf");
        // After a crash, commits that are missing from the binary log are rolled back.
        boolean isLogged = !value("log_bin").isEmpty() && !isOff("log_bin");
        warn(isLogged && !Set.of("", "1").contains(value("sync_binlog")), label, "sync_binlog", "1", "my.cnf");
        // Aurora's storage has no torn pages, and switches the doublewrite buffer off.
        boolean isTorn = isOff("innodb_doublewrite") && !found.containsKey("aurora_version");
        warn(isTorn, label, "innodb_doublewrite", "ON, or OFF on storage that writes pages atomically", "my.cnf");
        for (String name : List.of("fsync", "full_page_writes")) {
            warn(isOff(name), label, name, "on", "postgresql.conf");
        }
    }

    private void warn(boolean isWeak, String label, String name, String allowed, String file) {
        if (isWeak) {
            warnings.add("A server that loses its last commits in a crash may give ids twice: " + label + " " + name
                    + "=" + value(name) + ", allowed: " + allowed + ". Write into " + file + ": " + name + "="
                    + allowed.split(",", -1)[0] + Pages.onCall("durability"));
        }
    }

    /** One warning for each setting that the operator should change. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    private void raise(Connection connection, String name, Set<String> weak, String to) throws SQLException {
        Change change = new Change(name, value(name), to);
        if (weak.contains(change.from) && change.make(connection)) {
            changes.add(change);
        }
    }

    /** Undoes the changes of the session. */
    public void restore(Connection connection) throws SQLException {
        for (Change each : changes) {
            boolean unused = new Change(each.name, each.to, each.from).make(connection);
        }
    }
}

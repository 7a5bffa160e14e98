package io.distributedid.internal.jdbc;

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
import java.util.Optional;
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
 * <p>If only the operator can change a setting, a warning is logged, once for each server and process. The session
 * itself raises {@code synchronous_commit} from {@code off} or {@code local} to {@code on}; {@link #restore} sets it
 * back. Statements that reserve ids do the same for their transaction, see {@link #OF_TRANSACTION}. No setting is
 * lowered. {@link LookAlikes} are refused.
 */
public final class Durability {

    private static final Logger LOG = System.getLogger(Durability.class.getName());

    private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

    private static final String MYSQL = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'version_comment',"
            + " 'aurora_version', 'innodb_flush_log_at_trx_commit', 'innodb_doublewrite', 'log_bin', 'sync_binlog')";

    private static final String POSTGRESQL = "SELECT name, setting FROM pg_settings WHERE name IN"
            + " ('synchronous_commit', 'fsync', 'full_page_writes') UNION ALL SELECT 'version', version()";

    private static final String COMMIT = "synchronous_commit";

    private static final Set<String> WEAK_COMMITS = Set.of("off", "local");

    /**
     * PostgreSQL: the end of a WHERE clause. It is true, and makes the commit of this transaction durable. Behind a
     * pooler, a transaction may run in a session whose default is weaker than that of the checked one.
     */
    public static final String OF_TRANSACTION = " AND (SELECT set_config('synchronous_commit', CASE"
            + " WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN 'on'"
            + " ELSE current_setting('synchronous_commit') END, true)) IS NOT NULL";

    private final Map<String, String> found;

    private final List<String> warnings = new ArrayList<>();

    private Durability(Map<String, String> found) {
        this.found = found;
    }

    /** Reads the settings, logs warnings and raises the session's durability. Needs autocommit mode. */
    public static Durability check(Connection connection, DatabaseProduct product, String label) throws SQLException {
        Durability durability = new Durability(
                switch (product) {
                    case MYSQL, MARIADB -> ask(connection, MYSQL);
                    case POSTGRESQL -> ask(connection, POSTGRESQL);
                    case H2 -> Map.of();
                });
        LookAlikes.refuse(
                durability.value("version"),
                durability.value("version_comment") + " "
                        + connection.getMetaData().getDatabaseProductVersion(),
                label);
        durability.judge(product, label);
        durability.warnings.stream().filter(LOGGED::add).forEach(warning -> LOG.log(Level.WARNING, warning));
        durability.raise(connection);
        return durability;
    }

    private static Map<String, String> ask(Connection connection, String sql) throws SQLException {
        Map<String, String> found = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                found.put(row.getString(1).toLowerCase(Locale.ROOT), row.getString(2));
            }
        }
        return found;
    }

    private String value(String name) {
        return found.getOrDefault(name, "");
    }

    private boolean isOff(String name) {
        return value(name).equals("0") || value(name).equalsIgnoreCase("OFF");
    }

    private void judge(DatabaseProduct product, String label) {
        switch (product) {
            case MYSQL -> judgeMySql(Set.of("1"), label);
            // On MariaDB, 3 is 1 with one more flush.
            case MARIADB -> judgeMySql(Set.of("1", "3"), label);
            case POSTGRESQL -> judgePostgreSql(label);
            case H2 -> {}
        }
    }

    private void judgeMySql(Set<String> flushes, String label) {
        String flush = "innodb_flush_log_at_trx_commit";
        if (found.containsKey(flush) && !flushes.contains(value(flush))) {
            warn(label, flush, "1", "my.cnf");
        }
        // After a crash, commits that are missing from the binary log are rolled back.
        boolean binaryLog = found.containsKey("log_bin") && !isOff("log_bin");
        if (binaryLog
                && found.containsKey("sync_binlog")
                && !value("sync_binlog").equals("1")) {
            warn(label, "sync_binlog", "1", "my.cnf");
        }
        // Aurora's storage has no torn pages, and switches the doublewrite buffer off.
        if (isOff("innodb_doublewrite") && !found.containsKey("aurora_version")) {
            warn(label, "innodb_doublewrite", "ON, or OFF on storage that writes pages atomically", "my.cnf");
        }
    }

    private void judgePostgreSql(String label) {
        for (String name : List.of("fsync", "full_page_writes")) {
            if (isOff(name)) {
                warn(label, name, "on", "postgresql.conf");
            }
        }
    }

    private void warn(String label, String name, String allowed, String file) {
        warnings.add("A server that loses its last commits in a crash may give ids twice: " + label + " " + name + "="
                + value(name) + ", allowed: " + allowed + ". Write into " + file + ": " + name + "="
                + allowed.split(",", -1)[0]);
    }

    /** One warning for each setting that the operator should change. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    private Optional<String> weakCommit() {
        return Optional.ofNullable(found.get(COMMIT)).filter(WEAK_COMMITS::contains);
    }

    private void raise(Connection connection) throws SQLException {
        if (weakCommit().isPresent()) {
            set(connection, "on");
        }
    }

    /** Undoes the change to the session of the checked connection. */
    public void restore(Connection connection) throws SQLException {
        if (weakCommit().isPresent()) {
            set(connection, weakCommit().get());
        }
    }

    private static void set(Connection connection, String value) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION " + COMMIT + " = " + value);
        }
    }
}

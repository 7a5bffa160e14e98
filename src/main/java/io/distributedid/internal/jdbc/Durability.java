package io.distributedid.internal.jdbc;

import io.distributedid.IdConfigurationException;
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
 * Whether a server keeps what it has committed. One that does not may give ids again after a crash. One query on each
 * new connection:
 *
 * <pre>
 * SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'innodb_flush_log_at_trx_commit', ...);      -- MySQL, MariaDB
 * SELECT name, setting FROM pg_settings WHERE name IN ('synchronous_commit', 'fsync', ...) UNION ALL
 *     SELECT 'version', version();                                                                  -- PostgreSQL
 * </pre>
 *
 * <p>What only the operator can change is warned of, once for each server and process. What a session can change, it
 * raises: {@code synchronous_commit} from {@code off} or {@code local} to {@code on}, and {@link #restore} sets it
 * back. Nothing is lowered. A server that is no MySQL, MariaDB or PostgreSQL, but speaks like one, is refused.
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

    private final Map<String, String> found;

    private final List<String> warnings = new ArrayList<>();

    private Durability(Map<String, String> found) {
        this.found = found;
    }

    /**
     * Asks a server, and raises what its session may.
     *
     * @param connection in autocommit mode
     * @param product of the server
     * @param label the server, for messages
     * @return what it said
     * @throws SQLException if the server failed
     * @throws IdConfigurationException if the server is another product than it seems
     */
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
            // There, 3 is 1 with one more flush.
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
        // With a binary log, a commit that is not in it is rolled back after a crash.
        boolean binaryLog = found.containsKey("log_bin") && !isOff("log_bin");
        if (binaryLog
                && found.containsKey("sync_binlog")
                && !value("sync_binlog").equals("1")) {
            warn(label, "sync_binlog", "1", "my.cnf");
        }
        // Aurora's storage writes no page in halves, and has it switched off.
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

    /**
     * What the operator should change.
     *
     * @return a text for each setting; empty if none is known
     */
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

    /**
     * Sets the session back as it was.
     *
     * @param connection the one that was checked
     * @throws SQLException if the server failed
     */
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

package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code check} finds as a user who may only read, and that it writes nothing even as one who may do all. */
public abstract class CheckReadsOnlyContract {

    /** Of the two servers, as one who may do all. */
    protected abstract List<String> urls();

    /** As one who may read all tables, and nothing else. */
    protected abstract List<String> readerUrls();

    /** As in {@link IdAdmin#ddl}. */
    protected abstract String product();

    /** Of the backend that counts, with the servers. */
    protected abstract Map<String, String> counting(List<String> urls);

    /** Every statement that made a table, and what the catalog has of it. */
    protected abstract String definitions(Connection connection) throws SQLException;

    @BeforeEach
    @AfterEach
    void dropTables() throws SQLException {
        for (String url : urls()) {
            try (Connection connection = DriverManager.getConnection(url)) {
                for (String table : tables(connection)) {
                    execute(url, "DROP TABLE " + table);
                }
            }
        }
    }

    @Test
    void freshTablesStayUnused() throws SQLException {
        createTables();

        Map<String, String> found = results();

        String unused = "OK not used yet: the first client creates its rows";
        assertThat(found).containsEntry("ledger 0", unused).containsEntry("ledger 1", unused);
        assertThat(found.get("counter 0")).isIn("OK not created yet: its first client creates it", "OK id=0");
        assertThat(found.get("counter 1")).isEqualTo(found.get("counter 0"));
        assertThat(found).containsEntry("store of leases lease", "OK none yet: nobody has leased anything here");
        assertThat(found.values()).noneMatch(each -> each.startsWith("FAILED"));
    }

    @Test
    void aMissingLedgerIsNotCreated() throws SQLException {
        createTables();
        for (String url : urls()) {
            execute(url, "DROP TABLE distributedid");
        }

        Map<String, String> found = results();

        for (int server = 0; server < 2; server++) {
            assertThat(found.get("table " + server)).startsWith("FAILED The ledger beside the ids is missing: ");
        }
    }

    @Test
    void noTableIsCreated() throws SQLException {
        Map<String, String> found = results();

        assertThat(found.get("table 0")).startsWith("FAILED ").contains(" is missing: ");
        assertThat(found.get("table 1")).startsWith("FAILED ").contains(" is missing: ");
        assertThat(found.get("store of leases lease")).startsWith("FAILED ").contains(" is missing: ");
    }

    @Test
    void aFirstUseThatHasBegunIsNotEnded() throws SQLException {
        createTables();
        try (DistributedIds ids = DistributedIds.create(PatientSettings.of(settings(urls())))) {
            ids.next("photos");
        }
        execute(urls().get(0), "UPDATE distributedid SET state = 'NEW' WHERE state = 'OPEN'");
        execute(urls().get(0), "DELETE FROM distributedid WHERE name LIKE '%/%'");
        execute(urls().get(1), "DELETE FROM distributedid");

        Map<String, String> found = results();

        assertThat(found.get("ledger 0")).startsWith("OK state=NEW token=");
        assertThat(found.get("ledger 1")).contains(" yet: the first client ");
    }

    @Test
    void countersAndLeasesInUseAreLeftAsTheyAre() throws SQLException {
        try (DistributedIds ids = DistributedIds.create(PatientSettings.of(settings(urls())))) {
            ids.next("photos");
            ids.next("leased");
            // Otherwise the second block, which the first id asks for, may come between two looks at the tables.
            Await.until("the reserve is full", () -> blocks(ids) >= 2, () -> blocks(ids));

            Map<String, String> found = results();

            assertThat(found.get("ledger 0")).startsWith("OK state=OPEN token=");
            assertThat(found.get("store of leases lease")).startsWith("OK token=");
            assertThat(found.values()).noneMatch(each -> each.startsWith("FAILED"));
        }
    }

    private static long blocks(DistributedIds ids) {
        return ids.statistics("photos").orElseThrow().blocks().orElseThrow().fetched();
    }

    /** By check and server, of both users, which must be the same; and neither changes anything. */
    protected final Map<String, String> results() throws SQLException {
        List<String> before = contents();
        Map<String, String> reader = results(readerUrls());
        assertThat(contents()).as("as a reader").isEqualTo(before);
        Map<String, String> found = results(urls());
        assertThat(contents()).as("as one who may do all").isEqualTo(before);
        assertThat(reader.keySet()).isEqualTo(found.keySet());
        return reader;
    }

    private Map<String, String> results(List<String> urls) {
        Map<String, String> found = new TreeMap<>();
        try (DistributedIds ids = DistributedIds.create(settings(urls))) {
            for (CheckResult result : ids.admin().check("photos")) {
                int server = result.server().isEmpty() ? -1 : place(result.server());
                found.put(result.what() + (server < 0 ? "" : " " + server), result.status() + " " + result.detail());
            }
            for (CheckResult result : ids.admin().check("leased")) {
                found.put(result.what() + " lease", result.status() + " " + result.detail());
            }
        }
        return found;
    }

    private int place(String label) {
        for (int i = 0; i < 2; i++) {
            if (urls().get(i).split("[?;]")[0].equals(label)) {
                return i;
            }
        }
        throw new AssertionError(label);
    }

    private List<String> contents() throws SQLException {
        List<String> contents = new ArrayList<>();
        for (String url : urls()) {
            try (Connection connection = DriverManager.getConnection(url)) {
                contents.add(definitions(connection));
                for (String table : tables(connection)) {
                    contents.add(table + rows(connection, table));
                }
            }
        }
        return contents;
    }

    private static List<String> rows(Connection connection, String table) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT * FROM " + table)) {
            int columns = row.getMetaData().getColumnCount();
            while (row.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    values.add(row.getString(i));
                }
                rows.add(values.toString());
            }
        }
        rows.sort(null);
        return rows;
    }

    protected final List<String> tables(Connection connection) throws SQLException {
        List<String> tables = new ArrayList<>();
        String schema = connection.getSchema() == null ? connection.getCatalog() : connection.getSchema();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT table_name FROM information_schema.tables"
                        + " WHERE table_schema = '" + schema + "' ORDER BY table_name")) {
            while (row.next()) {
                tables.add(row.getString(1));
            }
        }
        return tables;
    }

    protected final void createTables() throws SQLException {
        for (String url : urls()) {
            for (String ddl : IdAdmin.ddl(settings(urls()), product())) {
                execute(url, ddl);
            }
        }
    }

    protected static void execute(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private Map<String, Object> settings(List<String> urls) {
        Map<String, Object> settings = new HashMap<>(counting(urls));
        settings.put("distributedid.seq.leased.backend", "snowflake");
        settings.put("distributedid.seq.leased.snowflake.worker", "lease");
        settings.put("distributedid.seq.leased.snowflake.lease.server", urls.get(0));
        settings.put("distributedid.seq.leased.create_tables", "true");
        return settings;
    }
}

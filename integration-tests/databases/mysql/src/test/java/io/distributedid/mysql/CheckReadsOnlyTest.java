package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.testkit.CheckReadsOnlyContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Ticket servers. */
@Needs(Need.MYSQL)
class CheckReadsOnlyTest extends CheckReadsOnlyContract {

    private static final String SCHEMA = "checked";

    @BeforeAll
    static void addReader() throws SQLException {
        for (String url :
                List.of(MySqlServers.odd().jdbcUrl(SCHEMA), MySqlServers.even().jdbcUrl(SCHEMA))) {
            execute(
                    url,
                    "CREATE USER IF NOT EXISTS reader@'%' IDENTIFIED BY ''",
                    "GRANT SELECT ON " + SCHEMA + ".* TO reader@'%'");
        }
    }

    @Override
    protected List<String> urls() {
        return List.of(MySqlServers.odd().jdbcUrl(SCHEMA), MySqlServers.even().jdbcUrl(SCHEMA));
    }

    @Override
    protected List<String> readerUrls() {
        return urls().stream()
                .map(url -> url.replace("user=root", "user=reader").replace("&createDatabaseIfNotExist=true", ""))
                .toList();
    }

    @Override
    protected String product() {
        return "mysql";
    }

    @Override
    protected Map<String, String> counting(List<String> urls) {
        return Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.servers", String.join(", ", urls),
                "distributedid.create_tables", "true");
    }

    @Override
    protected String definitions(Connection connection) throws SQLException {
        StringBuilder all = new StringBuilder();
        for (String table : tables(connection)) {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SHOW CREATE TABLE " + table)) {
                row.next();
                all.append(row.getString(2)).append('\n');
            }
        }
        return all.toString();
    }

    @Test
    void aServerThatNobodyMayWriteToIsToldOf() throws SQLException {
        createTables();
        String even = urls().get(1);
        execute(even, "SET GLOBAL super_read_only = ON");
        try {
            Map<String, String> found = results();

            assertThat(found.get("table 1"))
                    .startsWith("FAILED A ticket server must be writable: ")
                    .contains("read_only=1");
            assertThat(found.get("ledger 0")).isEqualTo("OK not used yet: the first client creates its rows");
        } finally {
            execute(even, "SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF");
        }
    }

    @Test
    void aSequenceTableThatNobodyMayWriteToIsToldOf() throws SQLException {
        createTables();
        String even = urls().get(1);
        Map<String, String> settings =
                Map.of("distributedid.backend", "sequence_table", "distributedid.sequence_table.servers", even);
        execute(even, IdAdmin.ddl(settings, "mysql").toArray(String[]::new));
        execute(even, "SET GLOBAL super_read_only = ON");
        try (DistributedIds ids = DistributedIds.create(settings)) {
            assertThat(ids.admin().check("photos"))
                    .filteredOn(result -> result.status() == CheckResult.Status.FAILED)
                    .singleElement()
                    .satisfies(result -> assertThat(result.detail())
                            .startsWith("A server of counters must be writable: ")
                            .contains(" says read_only=1 super_read_only=1. "));
        } finally {
            execute(even, "SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF");
        }
    }
}

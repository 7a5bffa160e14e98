package io.distributedid.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.CheckReadsOnlyContract;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sequence tables in two databases. */
class CheckReadsOnlyTest extends CheckReadsOnlyContract {

    @BeforeAll
    static void addReader() throws SQLException {
        execute(
                Postgres.url(),
                "CREATE ROLE check_reader LOGIN",
                "GRANT pg_read_all_data TO check_reader",
                "CREATE DATABASE check_odd",
                "CREATE DATABASE check_even");
    }

    @Override
    protected List<String> urls() {
        return List.of(Postgres.url("check_odd"), Postgres.url("check_even"));
    }

    @Override
    protected List<String> readerUrls() {
        return urls().stream()
                .map(url -> url.replace("user=postgres", "user=check_reader"))
                .toList();
    }

    @Override
    protected String product() {
        return "postgresql";
    }

    @Override
    protected Map<String, String> counting(List<String> urls) {
        return Map.of(
                "distributedid.backend", "sequence_table",
                "distributedid.sequence_table.servers", String.join(", ", urls),
                "distributedid.create_tables", "true");
    }

    @Test
    void aServerThatNobodyMayWriteToIsToldOf() throws SQLException {
        createTables();
        execute(urls().get(1), "ALTER DATABASE check_even SET default_transaction_read_only = on");
        try {
            assertThat(results().get("writable 1"))
                    .startsWith("FAILED A server of counters must be writable: ")
                    .contains(" says transaction_read_only=on. ");
        } finally {
            execute(
                    urls().get(1),
                    "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
                    "ALTER DATABASE check_even RESET default_transaction_read_only");
        }
    }

    @Override
    protected String definitions(Connection connection) throws SQLException {
        StringBuilder all = new StringBuilder();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT c.oid, c.relname, c.relkind, c.relfilenode, a.attname, a.atttypid,"
                                + " obj_description(c.oid)"
                                + " FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid"
                                + " WHERE c.relnamespace = 'public'::regnamespace ORDER BY 1, 5")) {
            while (row.next()) {
                for (int i = 1; i <= 7; i++) {
                    all.append(row.getString(i)).append(i == 7 ? '\n' : ' ');
                }
            }
        }
        return all.toString();
    }
}

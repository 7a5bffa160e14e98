package io.distributedid.backend.sequencetable;

import io.distributedid.testkit.CheckReadsOnlyContract;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;

class H2CheckReadsOnlyTest extends CheckReadsOnlyContract {

    private static final List<String> SERVERS = List.of("jdbc:h2:mem:check_odd", "jdbc:h2:mem:check_even");

    @BeforeAll
    static void addReader() throws SQLException {
        for (String server : SERVERS) {
            execute(
                    server + ";DB_CLOSE_DELAY=-1",
                    "CREATE USER IF NOT EXISTS reader PASSWORD ''",
                    "GRANT SELECT ON SCHEMA PUBLIC TO reader");
        }
    }

    @Override
    protected List<String> urls() {
        return SERVERS;
    }

    @Override
    protected List<String> readerUrls() {
        return SERVERS.stream().map(server -> server + ";USER=reader").toList();
    }

    @Override
    protected String product() {
        return "h2";
    }

    @Override
    protected Map<String, String> counting(List<String> urls) {
        return Map.of(
                "distributedid.backend", "sequence_table",
                "distributedid.sequence_table.servers", String.join(", ", urls),
                "distributedid.create_tables", "true");
    }

    @Override
    protected String definitions(Connection connection) throws SQLException {
        StringBuilder all = new StringBuilder();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SCRIPT NODATA NOPASSWORDS NOSETTINGS")) {
            while (row.next()) {
                all.append(row.getString(1)).append('\n');
            }
        }
        return all.toString();
    }
}

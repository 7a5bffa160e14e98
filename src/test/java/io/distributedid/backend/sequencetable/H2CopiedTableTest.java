package io.distributedid.backend.sequencetable;

import io.distributedid.testkit.CopiedTableContract;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class H2CopiedTableTest extends CopiedTableContract {

    private static final String URL = "jdbc:h2:mem:copies;DB_CLOSE_DELAY=-1";

    @BeforeEach
    void create() throws SQLException {
        DatabaseRows.execute(URL, "CREATE SCHEMA original", "CREATE SCHEMA copied");
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("copies");
    }

    @Override
    protected String product() {
        return "h2";
    }

    @Override
    protected String url(String schema) {
        return URL + ";SCHEMA=" + schema;
    }
}

package io.distributedid.postgresql;

import io.distributedid.testkit.CopiedTableContract;
import io.distributedid.testkit.DatabaseRows;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;

class CopiedTableTest extends CopiedTableContract {

    @BeforeEach
    void create() throws SQLException {
        for (String schema : new String[] {"original", "copied"}) {
            DatabaseRows.execute(
                    Postgres.url(), "DROP SCHEMA IF EXISTS " + schema + " CASCADE", "CREATE SCHEMA " + schema);
        }
    }

    @Override
    protected String product() {
        return "postgresql";
    }

    @Override
    protected String url(String schema) {
        return Postgres.url() + "&currentSchema=" + schema;
    }
}

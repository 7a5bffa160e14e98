package io.distributedid.mysql;

import io.distributedid.testkit.CopiedTableContract;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Needs(Need.MYSQL)
class CopiedTableTest extends CopiedTableContract {

    @BeforeEach
    void create() throws SQLException {
        for (String schema : new String[] {"original", "copied"}) {
            DatabaseRows.execute(url("mysql"), "DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema);
        }
    }

    @Test
    void aCopiedTicketTableIsRaisedOnce() throws SQLException {
        assertRaisedOnce("ticket");
    }

    @Override
    protected String product() {
        return "mysql";
    }

    @Override
    protected String url(String schema) {
        return MySqlServers.shard(1).jdbcUrl(schema);
    }
}

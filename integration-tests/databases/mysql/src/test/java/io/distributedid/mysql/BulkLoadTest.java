package io.distributedid.mysql;

import io.distributedid.testkit.BulkLoadContract;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

@Needs(Need.MYSQL)
class BulkLoadTest extends BulkLoadContract {

    @Override
    protected String url() throws SQLException {
        String url = MySqlServers.shard(0).jdbcUrl("bulk_load") + "&allowLoadLocalInfile=true";
        DatabaseRows.execute(url, "SET GLOBAL local_infile = ON");
        return url;
    }

    @Override
    protected void load(Connection connection, Path file) throws SQLException, IOException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(statement("load-data.sql").replace("photos.csv", file.toString()));
        }
    }
}

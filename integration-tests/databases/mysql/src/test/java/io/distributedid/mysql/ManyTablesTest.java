package io.distributedid.mysql;

import io.distributedid.testkit.ManyTablesContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.util.List;

@Needs(Need.MYSQL)
class ManyTablesTest extends ManyTablesContract {

    @Override
    protected String url(String schema) {
        return MySqlServers.shard(0).jdbcUrl(schema);
    }

    @Override
    protected List<String> lock(String table) {
        return List.of("LOCK TABLES " + table + " WRITE");
    }

    @Override
    protected List<String> types() {
        return List.of(
                "BIGINT UNSIGNED PRIMARY KEY",
                "BIGINT PRIMARY KEY",
                "INT UNSIGNED UNIQUE",
                "MEDIUMINT PRIMARY KEY",
                "SMALLINT UNIQUE",
                "DECIMAL(20) PRIMARY KEY");
    }
}

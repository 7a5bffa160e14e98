package io.distributedid.mysql;

import io.distributedid.testkit.ExistingRowsContract;
import java.util.List;

class ExistingRowsTest extends ExistingRowsContract {

    @Override
    protected String url(String schema) {
        return MySqlServers.shard(0).jdbcUrl(schema);
    }

    @Override
    protected int doublings() {
        return 21;
    }

    @Override
    protected List<String> lock(String table) {
        return List.of("LOCK TABLES " + table + " WRITE");
    }
}

package io.distributedid.mysql;

import io.distributedid.testkit.LeaseMoveContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.util.Map;

/** From a table of one server to a table of another. */
@Needs(Need.MYSQL)
class WorkerMoveTest extends LeaseMoveContract {

    @Override
    protected Map<String, String> oldStore() {
        return store(0, "old_worker");
    }

    @Override
    protected Map<String, String> newStore() {
        return store(1, "new_worker");
    }

    private static Map<String, String> store(int server, String table) {
        return Map.of(
                "distributedid.snowflake.lease.server",
                MySqlServers.shard(server).jdbcUrl("workers"),
                "distributedid.snowflake.lease.table",
                table,
                "distributedid.create_tables",
                "true");
    }
}

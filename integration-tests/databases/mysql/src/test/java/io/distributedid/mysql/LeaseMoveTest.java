package io.distributedid.mysql;

import io.distributedid.testkit.LeaseMoveContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** From one server to another. */
@Needs(Need.MYSQL)
class LeaseMoveTest extends LeaseMoveContract {

    private final String table = "moved_" + UUID.randomUUID().toString().substring(0, 8);

    @Override
    protected List<Map<String, String>> stores() {
        return IntStream.range(0, 2)
                .mapToObj(shard -> Map.of(
                        "distributedid.snowflake.lease.server",
                        MySqlServers.shard(shard).jdbcUrl("leases"),
                        "distributedid.snowflake.lease.table",
                        table,
                        "distributedid.create_tables",
                        "true"))
                .toList();
    }
}

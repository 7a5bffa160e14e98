package io.distributedid.postgresql;

import io.distributedid.testkit.LeaseMoveContract;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** From one table to another. */
class LeaseMoveTest extends LeaseMoveContract {

    private final String table = "moved_" + UUID.randomUUID().toString().substring(0, 8);

    @Override
    protected List<Map<String, String>> stores() {
        return Stream.of(table, table + "_to")
                .map(each -> Map.of(
                        "distributedid.snowflake.lease.server",
                        Postgres.url(),
                        "distributedid.snowflake.lease.table",
                        each,
                        "distributedid.create_tables",
                        "true"))
                .toList();
    }
}

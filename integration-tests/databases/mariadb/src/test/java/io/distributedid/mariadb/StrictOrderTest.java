package io.distributedid.mariadb;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.StrictOrderContract;
import java.util.Map;

@Needs(Need.MARIADB)
class StrictOrderTest extends StrictOrderContract {

    @Override
    protected Map<String, String> store(int test) {
        return Map.of(
                "distributedid.snowflake.lease.server",
                MariaDbServers.odd().jdbcUrl("strict"),
                "distributedid.snowflake.lease.table",
                "strict" + test,
                "distributedid.create_tables",
                "true");
    }

    @Override
    protected int steps() {
        return 4;
    }
}

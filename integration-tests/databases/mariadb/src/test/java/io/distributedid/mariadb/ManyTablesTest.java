package io.distributedid.mariadb;

import io.distributedid.testkit.ManyTablesContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.util.List;

@Needs(Need.MARIADB)
class ManyTablesTest extends ManyTablesContract {

    @Override
    protected String url(String schema) {
        return MariaDbServers.odd().jdbcUrl(schema);
    }

    @Override
    protected List<String> lock(String table) {
        return List.of("LOCK TABLES " + table + " WRITE");
    }
}

package io.distributedid.mariadb;

import io.distributedid.testkit.ExistingRowsContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.util.List;

@Needs(Need.MARIADB)
class ExistingRowsTest extends ExistingRowsContract {

    @Override
    protected String url(String schema) {
        return MariaDbServers.odd().jdbcUrl(schema);
    }

    @Override
    protected List<String> lock(String table) {
        return List.of("LOCK TABLES " + table + " WRITE");
    }

    @Override
    protected List<String> limitOfSession() {
        return List.of("SET SESSION max_statement_time = 7", "SELECT @@SESSION.max_statement_time");
    }
}

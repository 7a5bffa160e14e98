package io.distributedid.mariadb;

import io.distributedid.testkit.MultiplexedDrawContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MARIADB)
class MultiplexedDrawTest extends MultiplexedDrawContract {

    @Override
    protected String url(String schema) {
        return MariaDbServers.odd().jdbcUrl(schema);
    }
}

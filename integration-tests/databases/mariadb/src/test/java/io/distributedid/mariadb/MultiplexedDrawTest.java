package io.distributedid.mariadb;

import io.distributedid.testkit.MultiplexedDrawContract;

class MultiplexedDrawTest extends MultiplexedDrawContract {

    @Override
    protected String url(String schema) {
        return MariaDbServers.odd().jdbcUrl(schema);
    }
}

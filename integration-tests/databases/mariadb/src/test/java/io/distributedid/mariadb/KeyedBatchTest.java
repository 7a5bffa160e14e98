package io.distributedid.mariadb;

import io.distributedid.testkit.KeyedBatchContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

/** By MariaDB's own driver. */
@Needs(Need.MARIADB)
class KeyedBatchTest extends KeyedBatchContract {

    @Override
    protected String url(String name) {
        String url = MariaDbServers.odd().jdbcUrl(name);
        return url + (url.contains("?") ? "&" : "?") + "allowMultiQueries=true";
    }
}

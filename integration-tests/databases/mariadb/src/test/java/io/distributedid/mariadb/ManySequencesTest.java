package io.distributedid.mariadb;

import io.distributedid.testkit.ManySequencesContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MARIADB)
class ManySequencesTest extends ManySequencesContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().jdbcUrl(name);
    }
}

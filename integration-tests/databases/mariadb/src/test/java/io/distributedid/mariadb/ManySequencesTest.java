package io.distributedid.mariadb;

import io.distributedid.testkit.ManySequencesContract;

class ManySequencesTest extends ManySequencesContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().jdbcUrl(name);
    }
}

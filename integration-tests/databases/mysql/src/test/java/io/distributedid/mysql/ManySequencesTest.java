package io.distributedid.mysql;

import io.distributedid.testkit.ManySequencesContract;

class ManySequencesTest extends ManySequencesContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }
}

package io.distributedid.mysql;

import io.distributedid.testkit.ManySequencesContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MYSQL)
class ManySequencesTest extends ManySequencesContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }
}

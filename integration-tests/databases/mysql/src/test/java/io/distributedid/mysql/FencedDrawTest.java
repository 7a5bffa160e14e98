package io.distributedid.mysql;

import io.distributedid.testkit.FencedDrawContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MYSQL)
class FencedDrawTest extends FencedDrawContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }

    @Override
    protected String waiting() {
        return "SELECT db FROM information_schema.processlist WHERE state = 'Waiting for table metadata lock'"
                + " OR id IN (SELECT trx_mysql_thread_id FROM information_schema.innodb_trx WHERE trx_state = 'LOCK"
                + " WAIT')";
    }
}

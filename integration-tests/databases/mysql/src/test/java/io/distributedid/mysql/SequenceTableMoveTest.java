package io.distributedid.mysql;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.distributedid.testkit.MySqlSequenceTableMoveContract;
import javax.sql.DataSource;

class SequenceTableMoveTest extends MySqlSequenceTableMoveContract {

    @Override
    protected DataSource server(String schema) {
        MysqlDataSource server = new MysqlDataSource();
        server.setUrl(MySqlServers.shard(0).jdbcUrl(schema));
        return server;
    }
}

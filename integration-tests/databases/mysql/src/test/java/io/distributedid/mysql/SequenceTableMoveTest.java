package io.distributedid.mysql;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.distributedid.testkit.MySqlSequenceTableMoveContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import javax.sql.DataSource;

@Needs(Need.MYSQL)
class SequenceTableMoveTest extends MySqlSequenceTableMoveContract {

    @Override
    protected DataSource server(String schema) {
        MysqlDataSource server = new MysqlDataSource();
        server.setUrl(MySqlServers.shard(0).jdbcUrl(schema));
        return server;
    }
}

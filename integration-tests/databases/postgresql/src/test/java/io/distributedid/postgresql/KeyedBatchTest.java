package io.distributedid.postgresql;

import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.KeyedBatchContract;
import java.sql.SQLException;

class KeyedBatchTest extends KeyedBatchContract {

    @Override
    protected String url(String name) throws SQLException {
        DatabaseRows.execute(Postgres.url(), "CREATE DATABASE " + name);
        return Postgres.url(name);
    }
}

package io.distributedid.postgresql;

import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.NoticedLossContract;
import java.sql.SQLException;

class NoticedLossTest extends NoticedLossContract {

    @Override
    protected String url(int server, String schema) throws SQLException {
        String name = schema + server;
        DatabaseRows.execute(Postgres.url(), "CREATE SCHEMA IF NOT EXISTS " + name);
        return Postgres.url() + "&currentSchema=" + name;
    }
}

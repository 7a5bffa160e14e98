package io.distributedid.postgresql;

import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.NoticedLossContract;
import java.sql.SQLException;

class NoticedLossTest extends NoticedLossContract {

    @Override
    protected String url(int server, String schema) throws SQLException {
        String name = schema + server;
        if (DatabaseRows.rows(Postgres.url(), "SELECT 1 FROM pg_database WHERE datname = '" + name + "'")
                .isEmpty()) {
            DatabaseRows.execute(Postgres.url(), "CREATE DATABASE " + name);
        }
        return Postgres.url(name);
    }
}

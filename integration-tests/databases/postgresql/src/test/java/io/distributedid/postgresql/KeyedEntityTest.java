package io.distributedid.postgresql;

import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.KeyedEntityContract;
import java.sql.SQLException;

class KeyedEntityTest extends KeyedEntityContract {

    @Override
    protected String url(String name) throws SQLException {
        String found = "SELECT COUNT(*) FROM pg_database WHERE datname = '" + name + "'";
        if (DatabaseRows.number(Postgres.url(), found) == 0) {
            DatabaseRows.execute(Postgres.url(), "CREATE DATABASE " + name);
        }
        return Postgres.url(name);
    }
}

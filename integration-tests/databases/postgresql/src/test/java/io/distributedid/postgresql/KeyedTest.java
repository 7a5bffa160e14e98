package io.distributedid.postgresql;

import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.KeyedContract;
import java.sql.SQLException;
import java.util.Map;

class KeyedTest extends KeyedContract {

    @Override
    protected String url(String name) throws SQLException {
        String found = "SELECT COUNT(*) FROM pg_database WHERE datname = '" + name + "'";
        if (DatabaseRows.number(Postgres.url(), found) == 0) {
            DatabaseRows.execute(Postgres.url(), "CREATE DATABASE " + name);
        }
        return Postgres.url(name);
    }

    @Override
    protected Map<String, String> refusedTables() {
        String table = "CREATE %s TABLE keyed_sequence (name VARCHAR(50), key_text VARCHAR(150), number %s NOT NULL,"
                + " PRIMARY KEY (name, key_text))";
        return Map.of(
                table.formatted("UNLOGGED", "BIGINT"),
                "relpersistence=u, allowed: relpersistence=p. Create it anew: CREATE TABLE",
                table.formatted("", "INT"),
                "The column number must have 64 bits");
    }
}

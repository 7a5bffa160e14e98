package io.distributedid.postgresql;

import io.distributedid.testkit.ManyTablesContract;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

class ManyTablesTest extends ManyTablesContract {

    @Override
    protected String url(String schema) throws SQLException {
        String database = "existing_" + schema;
        try (Connection connection = DriverManager.getConnection(Postgres.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + database);
        }
        return Postgres.url(database);
    }

    @Override
    protected List<String> lock(String table) {
        return List.of("BEGIN", "LOCK TABLE " + table);
    }
}

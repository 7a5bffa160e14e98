package io.distributedid.postgresql;

import io.distributedid.testkit.ExistingRowsContract;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

class ExistingRowsTest extends ExistingRowsContract {

    private final Set<String> databases = new HashSet<>();

    @Override
    protected String url(String schema) throws SQLException {
        if (databases.add(schema)) {
            try (Connection connection = DriverManager.getConnection(Postgres.url());
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE existing_rows_" + schema);
            }
        }
        return Postgres.url("existing_rows_" + schema);
    }

    @Override
    protected List<String> lock(String table) {
        return List.of("BEGIN", "LOCK TABLE " + table);
    }

    @Override
    protected List<String> limitOfSession() {
        return List.of("SET SESSION statement_timeout = 7000", "SHOW statement_timeout");
    }
}

package io.distributedid.postgresql;

import io.distributedid.testkit.BulkLoadContract;
import io.distributedid.testkit.DatabaseRows;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;

class BulkLoadTest extends BulkLoadContract {

    @Override
    protected String url() throws SQLException {
        DatabaseRows.execute(Postgres.url(), "CREATE DATABASE bulk_load");
        return Postgres.url("bulk_load");
    }

    @Override
    protected void load(Connection connection, Path file) throws SQLException, IOException {
        try (Reader rows = Files.newBufferedReader(file)) {
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn(statement("copy.sql"), rows);
        }
    }
}

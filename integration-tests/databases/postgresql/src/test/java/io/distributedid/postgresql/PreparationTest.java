package io.distributedid.postgresql;

import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.PreparationContract;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

class PreparationTest extends PreparationContract {

    private final Set<String> created = new HashSet<>();

    @Override
    protected boolean hasTickets() {
        return false;
    }

    @Override
    protected List<String> urls(String name) throws SQLException {
        List<String> databases = List.of("prepared_" + name + "_1", "prepared_" + name + "_2");
        for (String database : databases) {
            if (created.add(database)) {
                DatabaseRows.execute(Postgres.url(), "CREATE DATABASE " + database);
            }
        }
        return databases.stream().map(Postgres::url).toList();
    }
}

package io.distributedid.postgresql;

import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.FencedDrawContract;
import java.sql.SQLException;
import java.util.List;

class FencedDrawTest extends FencedDrawContract {

    @Override
    protected String url(String name) throws SQLException {
        DatabaseRows.execute(Postgres.url(), "CREATE SCHEMA IF NOT EXISTS " + name);
        return Postgres.url() + "&currentSchema=" + name + "&ApplicationName=" + name;
    }

    @Override
    protected List<String> backends() {
        return List.of("sequence_table");
    }

    @Override
    protected String waiting() {
        return "SELECT application_name FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    }
}

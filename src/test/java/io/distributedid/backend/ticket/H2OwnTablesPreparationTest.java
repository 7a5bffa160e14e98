package io.distributedid.backend.ticket;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.OwnTablesPreparationContract;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

class H2OwnTablesPreparationTest extends OwnTablesPreparationContract {

    private final List<String> used = new ArrayList<>();

    @Override
    protected List<String> urls(String name) {
        List<String> databases = List.of("own_" + name + "_1", "own_" + name + "_2");
        used.addAll(databases);
        return databases.stream()
                .map(each -> "jdbc:h2:mem:" + each + ";DB_CLOSE_DELAY=-1")
                .toList();
    }

    /** Its trips cost nothing. */
    @Override
    protected boolean sharesTrips() {
        return false;
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop(used.toArray(String[]::new));
    }
}

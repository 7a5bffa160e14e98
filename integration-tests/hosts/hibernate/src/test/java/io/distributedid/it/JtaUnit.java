package io.distributedid.it;

import io.distributedid.testkit.TestDatabase;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * The persistence unit under JTA, with one place from which its ids come; every database behind a pool that enlists.
 */
final class JtaUnit implements AutoCloseable {

    /** Where ids come from. */
    enum Ids {
        OWN_DATABASE,
        SEQUENCE_SERVER,
        SEQUENCE_SERVER_BY_URL,
        TICKET_SERVER
    }

    private final String url = Unit.freshDatabase();

    private final Map<String, Object> settings = new HashMap<>();

    private final List<DataSource> pools = new ArrayList<>();

    private final Ids ids;

    private final String idUrl;

    JtaUnit(JtaPool pool, Ids ids) throws SQLException {
        this.ids = ids;
        idUrl = ids == Ids.OWN_DATABASE ? url : Unit.freshDatabase();
        with("jakarta.persistence.jtaDataSource", open(pool, url));
        String backend = ids == Ids.TICKET_SERVER ? "ticket" : "sequence_table";
        with("distributedid.backend", backend);
        if (ids != Ids.OWN_DATABASE) {
            with(
                    "distributedid." + backend + ".servers",
                    ids == Ids.SEQUENCE_SERVER_BY_URL ? idUrl : open(pool, idUrl));
            with("distributedid.create_tables", "true");
        }
        if (ids == Ids.TICKET_SERVER) {
            with("distributedid.ticket.numbering", "client");
            with("distributedid.ticket.increment", "1");
        }
    }

    private DataSource open(JtaPool pool, String database) throws SQLException {
        DataSource opened = pool.open(database);
        pools.add(opened);
        return opened;
    }

    JtaUnit with(String setting, Object value) {
        settings.put(setting, value);
        return this;
    }

    EntityManagerFactory start() {
        return Persistence.createEntityManagerFactory("jta", settings);
    }

    /** The connections of the application. */
    ObservedXaDataSource.Observed application() {
        return ObservedXaDataSource.observed(url);
    }

    /** The connections to the database that ids come from; none if it is given by URL. */
    ObservedXaDataSource.Observed ids() {
        return ObservedXaDataSource.observed(idUrl);
    }

    /** The last id that is reserved, as others see it now. */
    long reserved() {
        return Long.parseLong(query(
                        idUrl,
                        ids == Ids.TICKET_SERVER
                                ? "SELECT id FROM Tickets64 WHERE stub = 'a'"
                                : "SELECT id FROM sequence WHERE name = 'photos'")
                .get(0));
    }

    List<String> tables() {
        return query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'PUBLIC' ORDER BY 1");
    }

    /** The first column in the application's database, as others see it now. */
    List<String> query(String sql) {
        return query(url, sql);
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> query(String database, String sql) {
        return new TestDatabase(database).query(sql);
    }

    @Override
    public void close() {
        for (DataSource pool : pools) {
            if (pool instanceof AutoCloseable closeable) {
                try {
                    closeable.close();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }
}

package contender;

import io.distributedid.DistributedIds;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.h2.jdbcx.JdbcConnectionPool;

/** A database in memory, and where the ids of its rows come from. */
final class Memory implements Table {

    /** Also the name of each sequence. */
    static final String TABLE = "photo";

    private static final String DDL = "CREATE TABLE " + TABLE + " (id BIGINT PRIMARY KEY, title VARCHAR(100))";

    final String url;

    final JdbcConnectionPool pool;

    /** Nothing is fetched by the side that assigns ids. */
    final DistributedIds ids;

    private final AtomicLong assigned = new AtomicLong();

    /**
     * Creates the table.
     *
     * @param name of the database
     */
    Memory(String name) throws Exception {
        // Some mappers write names in quotes, and some do not.
        url = "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1;CASE_INSENSITIVE_IDENTIFIERS=TRUE";
        pool = JdbcConnectionPool.create(url, "", "");
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(DDL);
        }
        ids = DistributedIds.create(settings(url));
    }

    /** The same for each mapper, whether it makes the {@code DistributedIds} or we do. */
    static Map<String, Object> settings(String url) {
        return Map.of(
                "distributedid.backend",
                "sequence_table",
                "distributedid.sequence_table.servers",
                url,
                "distributedid.create_tables",
                true);
    }

    long nextAssigned() {
        return assigned.incrementAndGet();
    }

    @Override
    public void empty() throws Exception {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("TRUNCATE TABLE " + TABLE);
        }
    }

    @Override
    public long rows() throws Exception {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT COUNT(*) FROM " + TABLE)) {
            row.next();
            return row.getLong(1);
        }
    }
}

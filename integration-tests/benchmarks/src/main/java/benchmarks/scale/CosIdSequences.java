package benchmarks.scale;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.LongSupplier;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;

/**
 * CosId's recommended generator on one MySQL server, with its default distance and prefetch threads, and the pool that
 * Spring Boot gives it. The table and the transaction are those that CosId documents for JDBC. Its step is fixed:
 * {@value #STEP} ids last at 20 ids a second as long as our blocks may live.
 */
final class CosIdSequences implements Store.Sequences {

    private static final long STEP = 200;

    private static final String TABLE = "CREATE TABLE IF NOT EXISTS cosid (name VARCHAR(100) NOT NULL PRIMARY KEY,"
            + " last_max_id BIGINT UNSIGNED NOT NULL DEFAULT 0, last_fetch_time BIGINT UNSIGNED NOT NULL DEFAULT 0)"
            + " ENGINE=InnoDB";

    private static final String ROW =
            "INSERT IGNORE INTO cosid (name, last_max_id, last_fetch_time)" + " VALUES (?, 0, UNIX_TIMESTAMP())";

    private static final String INCREMENT =
            "UPDATE cosid SET last_max_id = (last_max_id + ?)," + " last_fetch_time = UNIX_TIMESTAMP() WHERE name = ?";

    private static final String FETCH = "SELECT last_max_id FROM cosid WHERE name = ?";

    private final HikariDataSource pool;

    CosIdSequences(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        pool = new HikariDataSource(config);
    }

    @Override
    public List<LongSupplier> open(List<String> names) {
        try (Connection connection = pool.getConnection();
                Statement table = connection.createStatement();
                PreparedStatement row = connection.prepareStatement(ROW)) {
            table.execute(TABLE);
            for (String name : names) {
                row.setString(1, name);
                row.executeUpdate();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return names.stream()
                .<LongSupplier>map(name -> new SegmentChainId(new Distributor(name))::generate)
                .toList();
    }

    @Override
    public void close() {
        pool.close();
    }

    /** Reserves segments of one sequence. */
    private final class Distributor implements IdSegmentDistributor {

        private final String name;

        Distributor(String name) {
            this.name = name;
        }

        @Override
        public String getNamespace() {
            return "benchmarks";
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public long getStep() {
            return STEP;
        }

        @Override
        public long nextMaxId(long step) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                long last = reserve(connection, step);
                connection.commit();
                return last;
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        private long reserve(Connection connection, long step) throws SQLException {
            try (PreparedStatement increment = connection.prepareStatement(INCREMENT);
                    PreparedStatement fetch = connection.prepareStatement(FETCH)) {
                increment.setLong(1, step);
                increment.setString(2, name);
                increment.executeUpdate();
                fetch.setString(1, name);
                try (ResultSet result = fetch.executeQuery()) {
                    result.next();
                    return result.getLong(1);
                }
            }
        }
    }
}

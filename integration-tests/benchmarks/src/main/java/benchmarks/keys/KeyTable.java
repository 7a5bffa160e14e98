package benchmarks.keys;

import benchmarks.Rounds.Rate;
import benchmarks.Stopwatch;
import io.distributedid.spi.IdSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.SplittableRandom;

/** A table of photos with a primary key of one kind and two secondary indexes, which hold the primary key as well. */
final class KeyTable {

    private static final int BATCH = 1_000;

    private static final int OWNERS = 50_000;

    /** Bytes as InnoDB counts them: whole pages, free ones left out. */
    record Size(long rows, long indexes) {

        long total() {
            return rows + indexes;
        }
    }

    private final KeyKind kind;

    private final IdSource ids;

    private final Connection connection;

    private final String name;

    private final SplittableRandom random = new SplittableRandom(42);

    private long created = 1_700_000_000_000L;

    KeyTable(KeyKind kind, IdSource ids, Connection connection) throws SQLException {
        this.kind = kind;
        this.ids = ids;
        this.connection = connection;
        name = "photo_" + kind.name().toLowerCase(Locale.ROOT);
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + name + " (id " + kind.sqlType
                    + " NOT NULL PRIMARY KEY, owner BIGINT NOT NULL, created BIGINT NOT NULL, title VARCHAR(100) NOT"
                    + " NULL,"
                    + " KEY by_owner (owner), KEY by_time (created)) ENGINE=InnoDB");
        }
    }

    /** Inserts rows in batches and commits once, and returns rows per second. */
    Rate insert(int count) throws SQLException {
        Stopwatch watch = new Stopwatch();
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO " + name + " (id, owner, created, title) VALUES (?, ?, ?, ?)")) {
            for (int i = 1; i <= count; i++) {
                insert.setObject(1, kind.next(ids));
                insert.setLong(2, random.nextInt(OWNERS));
                insert.setLong(3, created++);
                insert.setString(4, "A photo of something that was there");
                insert.addBatch();
                if (i % BATCH == 0 || i == count) {
                    insert.executeBatch();
                }
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
        return watch.rate(count);
    }

    Size size() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION information_schema_stats_expiry = 0");
            statement.execute("ANALYZE TABLE " + name);
            try (ResultSet row =
                    statement.executeQuery("SELECT data_length, index_length FROM information_schema.tables"
                            + " WHERE table_schema = DATABASE() AND table_name = '" + name + "'")) {
                row.next();
                return new Size(row.getLong(1), row.getLong(2));
            }
        }
    }
}

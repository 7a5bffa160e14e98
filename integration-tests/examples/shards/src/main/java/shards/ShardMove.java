package shards;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.Lock;
import org.postgresql.PGConnection;

/**
 * Moves a logical shard to another server. No row is rewritten: keys say the shard, and not the server. The other
 * shards are not touched; users of this one wait. (Large shards are copied by logical replication first, and wait for
 * the last changes only.)
 */
final class ShardMove {

    private ShardMove() {}

    /** @param copied called when the copy is there and nobody knows of it yet */
    static void move(Directory directory, Shard shard, int target, Runnable copied) throws SQLException, IOException {
        Lock lock = directory.lock(shard).writeLock();
        lock.lock();
        try (Connection from = directory.connect(shard);
                Connection to = directory.server(target).getConnection()) {
            to.setAutoCommit(false);
            ShardSchema.create(to, shard);
            copyRows(from, to, shard.schema() + ".photo");
            copyState(from, to, shard.schema() + ".next_id_seq");
            to.commit();
            copied.run();
            directory.place(shard, target);
            // Whoever still writes to the old place gets an error. To be dropped when it is no longer needed for a way
            // back.
            execute(from, "ALTER SCHEMA %1$s RENAME TO %1$s_moved".formatted(shard.schema()));
        } finally {
            lock.unlock();
        }
    }

    private static void copyRows(Connection from, Connection to, String table) throws SQLException, IOException {
        StringWriter rows = new StringWriter();
        from.unwrap(PGConnection.class).getCopyAPI().copyOut("COPY " + table + " TO STDOUT", rows);
        to.unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("COPY " + table + " FROM STDIN", new StringReader(rows.toString()));
    }

    /** So that the new server goes on above the last key even if its clock is behind the old one's. */
    private static void copyState(Connection from, Connection to, String sequence) throws SQLException {
        try (Statement statement = from.createStatement();
                ResultSet row = statement.executeQuery("SELECT last_value, is_called FROM " + sequence)) {
            row.next();
            execute(to, "SELECT setval('%s', %d, %b)".formatted(sequence, row.getLong(1), row.getBoolean(2)));
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

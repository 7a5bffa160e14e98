package shards;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Which server each logical shard is on. A site of many processes keeps this in a database, and tells them of changes.
 */
final class Directory {

    private final List<DataSource> servers;

    private final Map<Shard, Integer> serverOf = new ConcurrentHashMap<>();

    /** Read while a transaction is under way, written while the shard moves. */
    private final Map<Shard, ReadWriteLock> locks = new ConcurrentHashMap<>();

    Directory(List<? extends DataSource> servers) {
        this.servers = List.copyOf(servers);
    }

    void place(Shard shard, int server) {
        serverOf.put(shard, server);
    }

    int serverOf(Shard shard) {
        return serverOf.get(shard);
    }

    DataSource server(int number) {
        return servers.get(number);
    }

    /** A connection whose tables are those of the shard. */
    Connection connect(Shard shard) throws SQLException {
        Connection connection = server(serverOf(shard)).getConnection();
        connection.setSchema(shard.schema());
        return connection;
    }

    /** Does a piece of work during which the shard stays where it is. */
    <T> T use(Shard shard, Supplier<T> work) {
        ReadWriteLock lock = lock(shard);
        lock.readLock().lock();
        try {
            return work.get();
        } finally {
            lock.readLock().unlock();
        }
    }

    ReadWriteLock lock(Shard shard) {
        return locks.computeIfAbsent(shard, any -> new ReentrantReadWriteLock());
    }
}

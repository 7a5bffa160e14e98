package io.distributedid.backend.nextid;

import io.distributedid.spi.ConnectionIdSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks the {@link NextIdRecord record} of each shard once, on the connection of the shard's first ids. Each shard
 * costs a process one more round trip. Thread-safe.
 */
final class RecordedSource implements ConnectionIdSource {

    private final NextIdSource source;

    private final NextIdRecord record;

    private final Set<Long> checked = ConcurrentHashMap.newKeySet();

    RecordedSource(NextIdSource source, NextIdRecord record) {
        this.source = source;
        this.record = record;
    }

    @Override
    public long[] next(Connection connection, int count) throws SQLException {
        long[] ids = source.next(connection, count);
        long shard = source.place().of(ids[0]);
        if (!checked.contains(shard)) {
            record.requireSame(record.requireAlone(connection, shard), shard);
            checked.add(shard);
        }
        return ids;
    }
}

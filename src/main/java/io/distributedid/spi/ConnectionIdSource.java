package io.distributedid.spi;

import io.distributedid.IdConfigurationException;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A source whose ids are made by the database that stores the rows, on the connection that writes them. The call runs
 * in the application's transaction, takes no lock there, and is not undone by its rollback. Thread-safe; each thread
 * uses its own connection.
 */
public interface ConnectionIdSource extends IdSource {

    /**
     * Returns the next ids, in one round trip. Unused ids are a gap.
     *
     * @param connection to the shard of the rows; stays open
     * @param count how many, at least 1
     * @return that many, ascending, each as from {@link IdSource#next()}
     * @throws SQLException if the database failed
     * @throws IdConfigurationException if the shard makes no ids of this sequence
     */
    long[] next(Connection connection, int count) throws SQLException;

    /** Always refused: the connection determines the shard of the ids. */
    @Override
    default long next() {
        throw new IdConfigurationException("The ids of this sequence come from the shard that the row is written to."
                + " Call DistributedIds.next(sequence, connection)");
    }
}

package io.distributedid.spi;

import io.distributedid.IdConfigurationException;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A source whose ids are made by the database that stores their rows, and are asked for on the connection that writes
 * them: in the application's transaction, which they take no lock in and survive. Used by any number of threads at
 * once, each with its own connection.
 */
public interface ConnectionIdSource extends IdSource {

    /**
     * The next ids, in one round trip. Those that are not used are a gap.
     *
     * @param connection to the shard that the rows are written to; left open
     * @param count how many, at least 1
     * @return as many, ascending, each as {@link IdSource#next()} says
     * @throws SQLException if the database failed
     * @throws IdConfigurationException if the shard makes no such ids
     */
    long[] next(Connection connection, int count) throws SQLException;

    /** Refused: the connection says which shard the ids are for. */
    @Override
    default long next() {
        throw new IdConfigurationException("The ids of this sequence come from the shard that the row is written to:"
                + " DistributedIds.next(sequence, connection)");
    }
}

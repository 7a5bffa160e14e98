package io.distributedid.plain;

import io.distributedid.DistributedIds;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Inserts photos in one batch, with ids that are taken at once. */
final class JdbcBatch {

    private final DistributedIds ids;

    JdbcBatch(DistributedIds ids) {
        this.ids = ids;
    }

    /** Returns the ids of the rows, in the order of the titles. */
    long[] insert(Connection connection, List<String> titles) throws SQLException {
        long[] taken = ids.next("photos", titles.size());
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO photo (id, title) VALUES (?, ?)")) {
            for (int row = 0; row < taken.length; row++) {
                insert.setLong(1, taken[row]);
                insert.setString(2, titles.get(row));
                insert.addBatch();
            }
            insert.executeBatch();
        }
        return taken;
    }
}

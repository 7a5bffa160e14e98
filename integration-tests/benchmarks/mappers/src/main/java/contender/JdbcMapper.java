package contender;

import java.sql.Connection;
import java.sql.PreparedStatement;

/** No mapper: a JDBC batch, whose ids are taken at once. */
final class JdbcMapper implements Mapper {

    private final Memory memory;

    private final Side side;

    JdbcMapper(Memory memory, Side side) {
        this.memory = memory;
        this.side = side;
    }

    @Override
    public void insert(int rows) throws Exception {
        try (Connection connection = memory.pool.getConnection();
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO " + Memory.TABLE + " (id, title) VALUES (?, ?)")) {
            connection.setAutoCommit(false);
            for (int done = 0; done < rows; done += BATCH) {
                long[] ids = ids();
                for (long id : ids) {
                    insert.setLong(1, id);
                    insert.setString(2, TITLE);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            connection.commit();
        }
    }

    private long[] ids() {
        if (side == Side.OURS) {
            return memory.ids.next(Memory.TABLE, BATCH);
        }
        long[] ids = new long[BATCH];
        for (int i = 0; i < BATCH; i++) {
            ids[i] = memory.nextAssigned();
        }
        return ids;
    }
}

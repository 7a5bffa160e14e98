package io.distributedid.backend.nextid;

import io.distributedid.DistributedIds;
import io.distributedid.postgresql.Postgres;
import io.distributedid.spi.ConnectionIdSource;
import io.distributedid.testkit.JavaProcess;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A process that inserts rows from many connections, half of them with ids by the column's DEFAULT and half with ids
 * asked for before. Every third transaction is rolled back first and done again.
 */
final class Inserter {

    private static final int THREADS = 8;

    private static final int BATCH = 50;

    private final String url;

    private final String schema;

    private final String node;

    private final int batches;

    private Inserter(String url, String schema, String node, int batches) {
        this.url = url;
        this.schema = schema;
        this.node = node;
        this.batches = batches;
    }

    /** Starts one that inserts {@code THREADS * batches * BATCH} rows. */
    static Process start(String schema, String node, int batches) throws IOException {
        return new ProcessBuilder(
                        JavaProcess.command("256m", Inserter.class.getName(), Postgres.url(), schema, node, batches))
                .inheritIO()
                .start();
    }

    static int rows(int batches) {
        return THREADS * batches * BATCH;
    }

    public static void main(String[] args) throws Exception {
        new Inserter(args[0], args[1], args[2], Integer.parseInt(args[3])).run();
    }

    private void run() throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (DistributedIds ids = DistributedIds.create(
                Map.of("distributedid.backend", "next_id", "distributedid.next_id.function", schema + ".next_id"))) {
            ConnectionIdSource source = (ConnectionIdSource) ids.sequence("photos");
            List<Future<Void>> ends = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                String name = node + "-" + i;
                Callable<Void> work = i % 2 == 0 ? () -> insert(name, source) : () -> insert(name, null);
                ends.add(threads.submit(work));
            }
            for (Future<Void> end : ends) {
                end.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private Void insert(String name, ConnectionIdSource source) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            if (source == null) {
                connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            }
            for (int batch = 0; batch < batches; batch++) {
                if (batch % 3 == 0) {
                    insert(connection, name, source, batch);
                    connection.rollback();
                }
                insert(connection, name, source, batch);
                connection.commit();
            }
        }
        return null;
    }

    private void insert(Connection connection, String name, ConnectionIdSource source, int batch) throws SQLException {
        long[] ids = source == null ? new long[0] : source.next(connection, BATCH);
        String sql = "INSERT INTO " + schema + ".photo (inserter, place"
                + (source == null ? ") VALUES (?, ?)" : ", id) VALUES (?, ?, ?)");
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            for (int i = 0; i < BATCH; i++) {
                insert.setString(1, name);
                insert.setInt(2, batch * BATCH + i);
                if (source != null) {
                    insert.setLong(3, ids[i]);
                }
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }
}

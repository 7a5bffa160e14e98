package io.distributedid.mysql;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.MySqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** An instance of the application from before the cut-over: inserts photos on all shards, whose ids they generate. */
final class NumberedInserts implements AutoCloseable {

    private final List<MySqlServer> shards;

    private final String schema;

    private final AtomicInteger inserted = new AtomicInteger();

    /** The new instances need the processors too. */
    private static final long PAUSE_NANOS = 2_000_000;

    private final Thread thread = new Thread(this::run, "numbered-inserts");

    private volatile boolean closed;

    private volatile SQLException failure;

    private NumberedInserts(List<MySqlServer> shards, String schema) {
        this.shards = shards;
        this.schema = schema;
    }

    /** Returns when it has inserted rows. */
    static NumberedInserts start(List<MySqlServer> shards, String schema) {
        NumberedInserts instance = new NumberedInserts(shards, schema);
        instance.thread.start();
        instance.awaitMore();
        return instance;
    }

    private void run() {
        List<Connection> connections = new ArrayList<>();
        try {
            for (MySqlServer shard : shards) {
                connections.add(shard.connect(schema));
            }
            while (!closed) {
                for (Connection connection : connections) {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute("INSERT INTO Photo (owner, title) VALUES (0, 'old'), (0, 'old'), (0, 'old')");
                    }
                }
                inserted.incrementAndGet();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (SQLException e) {
            failure = e;
        } finally {
            connections.forEach(NumberedInserts::close);
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits for more rows on all shards. */
    void awaitMore() {
        int before = inserted.get();
        Await.until("an old instance inserts", () -> failure != null || inserted.get() > before + 1, () -> failure);
        requireSuccess();
    }

    private void requireSuccess() {
        if (failure != null) {
            throw new AssertionError("An old instance failed", failure);
        }
    }

    @Override
    public void close() {
        end();
    }

    /** Ends it, as a deployment does, and fails if an insert has failed. */
    void end() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        requireSuccess();
    }
}

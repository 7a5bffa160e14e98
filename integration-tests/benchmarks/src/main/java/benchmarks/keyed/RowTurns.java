package benchmarks.keyed;

import benchmarks.MySql;
import benchmarks.Rounds.Rate;
import io.distributedid.DistributedIds;
import io.distributedid.KeyedSequence;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Numbers from rows of one durable MySQL server, one a call: by the library, and by a bare UPDATE that does not even
 * ask for its number. Both have the same number of connections, which stay open. Threads of the bare UPDATE take a free
 * connection for each number.
 */
final class RowTurns implements AutoCloseable {

    /** Keys that threads draw from. */
    private static final int KEYS = 10_000;

    private static final Duration BEGIN = Duration.ofMillis(200);

    private static final String SCHEMA = "numbers";

    private final MySql server = MySql.start();

    private final Map<Integer, DistributedIds> ours = new ConcurrentHashMap<>();

    private final List<Connection> connections = new ArrayList<>();

    private final Duration time;

    RowTurns(int mostConnections, Duration time) throws IOException, SQLException {
        this.time = time;
        for (int i = 0; i < mostConnections; i++) {
            connections.add(DriverManager.getConnection(server.url(SCHEMA)));
        }
        try (Statement statement = connections.get(0).createStatement()) {
            statement.execute("CREATE TABLE counter (id BIGINT PRIMARY KEY, number BIGINT NOT NULL) ENGINE=InnoDB");
            for (int first = 0; first < KEYS; first += 1_000) {
                StringBuilder rows = new StringBuilder();
                for (int key = first; key < first + 1_000; key++) {
                    rows.append(rows.isEmpty() ? "" : ",")
                            .append('(')
                            .append(key)
                            .append(", 0)");
                }
                statement.execute("INSERT INTO counter VALUES " + rows);
            }
        }
    }

    /** Numbers for each second; {@code isDrawn}: each call has another key, else each thread has one of its own. */
    Rate ours(int threads, int count, boolean isDrawn) throws Exception {
        KeyedSequence numbers = ours.computeIfAbsent(count, this::open).keyed("messages");
        return FlatOut.rate(
                works(threads, thread -> () -> {
                    numbers.next(key(thread, isDrawn));
                    return 1;
                }),
                BEGIN,
                time);
    }

    private DistributedIds open(int count) {
        DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.keyed.backend",
                "row",
                "distributedid.keyed.row.server",
                server.url(SCHEMA),
                "distributedid.create_tables",
                true,
                "distributedid.keyed.row.connections",
                count));
        for (int key = 0; key < KEYS && ours.isEmpty(); key++) {
            ids.keyed("messages").next(key);
        }
        return ids;
    }

    /** As above, by hand. */
    Rate bare(int threads, int count, boolean isDrawn) throws Exception {
        BlockingQueue<PreparedStatement> free = new ArrayBlockingQueue<>(count);
        for (Connection connection : connections.subList(0, count)) {
            free.add(connection.prepareStatement("UPDATE counter SET number = number + 1 WHERE id = ?"));
        }
        Rate rate = FlatOut.rate(
                works(threads, thread -> () -> {
                    PreparedStatement update = free.take();
                    update.setLong(1, key(thread, isDrawn));
                    if (update.executeUpdate() != 1) {
                        throw new SQLException("A key has no row");
                    }
                    free.add(update);
                    return 1;
                }),
                BEGIN,
                time);
        for (PreparedStatement each : free) {
            each.close();
        }
        return rate;
    }

    private static List<FlatOut.Work> works(int threads, IntFunction<FlatOut.Work> work) {
        return IntStream.range(0, threads).mapToObj(work).toList();
    }

    private static int key(int thread, boolean isDrawn) {
        return isDrawn ? ThreadLocalRandom.current().nextInt(KEYS) : thread;
    }

    @Override
    public void close() throws SQLException {
        ours.values().forEach(DistributedIds::close);
        for (Connection connection : connections) {
            connection.close();
        }
        server.close();
    }
}

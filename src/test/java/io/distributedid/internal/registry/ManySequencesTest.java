package io.distributedid.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.PlainDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The threads and connections of a process do not grow with the number of its sequences. */
@Tag("slow")
class ManySequencesTest {

    private static final int SEQUENCES = 300;

    private static final int ROUNDS = 10;

    private static final int CALLERS = 4;

    /** One timer, and eight threads that fetch. */
    private static final long THREADS = 9;

    /** Of other tests, which failed before they closed everything. */
    private final Set<Thread> earlier = Thread.getAllStackTraces().keySet();

    private final LongAccumulator mostThreads = new LongAccumulator(Math::max, 0);

    private final Server first = new Server("many_1");

    private final Server second = new Server("many_2");

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("many_1", "many_2");
    }

    @Test
    void threadsAndConnectionsDoNotGrowWithTheNumberOfSequences() throws Exception {
        List<String> names =
                IntStream.range(0, SEQUENCES).mapToObj(each -> "entity_" + each).toList();
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend",
                "sequence_table",
                "distributedid.sequence_table.servers",
                List.of(first, second),
                "distributedid.create_tables",
                "true",
                "distributedid.timeout",
                "30s",
                "distributedid.block.timeout",
                "2m"))) {
            names.forEach(ids::sequence);
            assertThat(first.open()).isEqualTo(1);
            assertThat(second.open()).isEqualTo(1);

            useAll(ids, names);
            assertThat(mostThreads.get()).as("threads at a time").isBetween(2L, THREADS);
            assertThat(first.obtained).as("connections in all").hasSize(1);
            assertThat(second.obtained).as("connections in all").hasSize(1);
        }
        assertThat(first.open() + second.open()).as("after the close").isZero();
    }

    /** Each caller takes an id of each sequence in turn. */
    private void useAll(DistributedIds ids, List<String> names) throws InterruptedException, ExecutionException {
        Map<String, Set<Long>> taken = new ConcurrentHashMap<>();
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                all.add(callers.submit(() -> take(ids, names, taken)));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            callers.shutdownNow();
        }
        assertThat(taken).hasSize(SEQUENCES);
        assertThat(taken.values()).allMatch(each -> each.size() == CALLERS * ROUNDS);
    }

    private void take(DistributedIds ids, List<String> names, Map<String, Set<Long>> taken) {
        for (int round = 0; round < ROUNDS; round++) {
            for (String name : names) {
                taken.computeIfAbsent(name, key -> ConcurrentHashMap.newKeySet())
                        .add(ids.next(name));
            }
            mostThreads.accumulate(threads());
        }
    }

    private long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.isAlive() && !earlier.contains(thread))
                .filter(thread -> thread.getName().startsWith("distributedid-"))
                .count();
    }

    private static final class Server extends PlainDataSource {

        final Set<Connection> obtained = ConcurrentHashMap.newKeySet();

        private final String database;

        Server(String database) {
            this.database = database;
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = DriverManager.getConnection("jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1");
            obtained.add(connection);
            return connection;
        }

        int open() throws SQLException {
            int open = 0;
            for (Connection each : obtained) {
                open += each.isClosed() ? 0 : 1;
            }
            return open;
        }
    }
}

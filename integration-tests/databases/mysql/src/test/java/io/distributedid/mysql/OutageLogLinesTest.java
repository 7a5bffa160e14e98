package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.BlockStatistics;
import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.SequenceStatistics;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An outage of a server that twenty sequences share is one warning, and one line when it is over. */
@Needs(Need.MYSQL)
class OutageLogLinesTest {

    private static final Logger LIBRARY = Logger.getLogger("io.distributedid");

    private static final List<String> SEQUENCES =
            IntStream.range(0, 20).mapToObj(i -> "photos" + i).toList();

    private final MySqlServer first = MySqlServers.shard(0);

    private final MySqlServer second = MySqlServers.shard(1);

    private final List<LogRecord> lines = new CopyOnWriteArrayList<>();

    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            if (line.getLevel().intValue() >= Level.INFO.intValue()) {
                lines.add(line);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void drop() throws SQLException {
        for (MySqlServer server : List.of(first, second)) {
            DatabaseRows.execute(server.jdbcUrl("mysql"), "DROP DATABASE IF EXISTS outage");
        }
    }

    @Test
    void oneServerOfTwo() {
        try (DistributedIds ids = DistributedIds.create(settings())) {
            takeUntil("both are in use", ids, () -> failing(ids) == 0);
            LIBRARY.addHandler(handler);
            first.kill9();
            takeUntil("all have noticed", ids, () -> failing(ids) == SEQUENCES.size());
            assertThat(linesOfServers())
                    .singleElement()
                    .asString()
                    .startsWith("WARNING A server is left out for now, and tried again in the background: server="
                            + label(first) + ". Reason: ")
                    .doesNotContain("\n", "packet");
            first.restart();
            takeUntil("the outage is over", ids, () -> linesOfServers().size() > 1 && failing(ids) == 0);

            assertThat(linesOfServers()).hasSize(2);
            assertThat(linesOfServers().get(1))
                    .matches("INFO A server is used again: server=" + label(first) + ", after \\d+ s");
            assertThat(lines).allSatisfy(line -> assertThat(line.getThrown()).isNull());
            assertThat(messages())
                    .filteredOn(line -> !isOfServer(line))
                    .as("on a busy machine the other server may stand still for a moment; that is said once")
                    .hasSizeLessThan(3)
                    .allMatch(line -> line.startsWith("INFO Ids are reserved again, ")
                            || (line.startsWith("WARNING No ids can be reserved, ")
                                    && line.contains(
                                            label(second) + " said: Another call has not been answered for ")));
        } finally {
            LIBRARY.removeHandler(handler);
        }
    }

    @Test
    void bothServers() {
        try (DistributedIds ids = DistributedIds.create(settings())) {
            takeUntil("both are in use", ids, () -> failing(ids) == 0);
            LIBRARY.addHandler(handler);
            first.kill9();
            second.kill9();
            Await.until("every sequence has failed", () -> {
                take(ids);
                return SEQUENCES.stream().allMatch(seq -> hasFailed(ids, seq));
            });
            assertThat(messages())
                    .hasSize(3)
                    .anyMatch(line -> line.contains("server=" + label(first)))
                    .anyMatch(line -> line.contains("server=" + label(second)))
                    .anyMatch(line -> line.startsWith("WARNING No ids can be reserved, and it is tried again, noticed"
                                    + " first by sequence 'photos")
                            && line.contains(". Reason: No server gives ids; " + "jdbc:mysql://"));
            first.restart();
            second.restart();
            takeUntil("the outage is over", ids, () -> messages().size() > 5);

            assertThat(messages().subList(3, messages().size()))
                    .hasSize(3)
                    .allMatch(line -> line.startsWith("INFO "))
                    .anyMatch(line -> line.startsWith("INFO Ids are reserved again, last by sequence 'photos"));
        } finally {
            LIBRARY.removeHandler(handler);
        }
    }

    private static void takeUntil(String what, DistributedIds ids, Callable<Boolean> condition) {
        Await.every(
                Duration.ofMillis(100),
                Await.PATIENCE,
                what,
                () -> {
                    take(ids);
                    return condition.call();
                },
                ids::health);
    }

    /** As much as makes a fetch of each sequence necessary, unless no server answers. */
    private static void take(DistributedIds ids) {
        for (String sequence : SEQUENCES) {
            try {
                ids.next(sequence, 4);
            } catch (IdUnavailableException e) {
                // The outage is what the test is about.
                continue;
            }
        }
    }

    /** How many sequences know a server that is left out. */
    private static long failing(DistributedIds ids) {
        return SEQUENCES.stream()
                .filter(sequence -> ids.statistics(sequence).stream()
                        .flatMap(each -> each.servers().stream())
                        .anyMatch(server -> server.failure().isPresent()))
                .count();
    }

    private static boolean hasFailed(DistributedIds ids, String sequence) {
        return ids.statistics(sequence)
                .flatMap(SequenceStatistics::blocks)
                .flatMap(BlockStatistics::failure)
                .isPresent();
    }

    private List<String> messages() {
        return lines.stream()
                .map(line -> line.getLevel() + " " + line.getMessage())
                .toList();
    }

    private List<String> linesOfServers() {
        return messages().stream().filter(OutageLogLinesTest::isOfServer).toList();
    }

    private static boolean isOfServer(String line) {
        return line.contains(" A server is ");
    }

    private static String label(MySqlServer server) {
        return "jdbc:mysql://127.0.0.1:" + server.port() + "/outage";
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        settings.put("distributedid.backend", "ticket");
        settings.put("distributedid.ticket.servers", first.jdbcUrl("outage") + ", " + second.jdbcUrl("outage"));
        settings.put("distributedid.ticket.numbering", "client");
        settings.put("distributedid.create_tables", "true");
        settings.put("distributedid.block.min", "4");
        settings.put("distributedid.block.max", "8");
        settings.put("distributedid.block.max_age", "1h");
        settings.put("distributedid.block.timeout", "100ms");
        SEQUENCES.forEach(sequence -> settings.put("distributedid.seq." + sequence + ".ticket.table", sequence));
        return settings;
    }
}

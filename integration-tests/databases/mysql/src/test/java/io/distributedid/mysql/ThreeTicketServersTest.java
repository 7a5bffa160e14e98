package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.spi.IdSource;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.PatientSettings;
import io.distributedid.testkit.Together;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three real ticket servers: any of them is enough, and each is used again when it comes back. */
@Needs(Need.MYSQL)
class ThreeTicketServersTest {

    private static final List<MySqlServer> SERVERS = new ArrayList<>();

    @BeforeAll
    static void start(@TempDir Path folder) {
        for (int offset = 1; offset <= 3; offset++) {
            SERVERS.add(MySqlServer.start(
                    folder.resolve("server" + offset),
                    "--auto-increment-increment=3",
                    "--auto-increment-offset=" + offset));
        }
    }

    @Test
    void twoClientsGetNoIdTwiceAndIdsOfAllThree() throws Exception {
        Map<String, ?> settings = PatientSettings.of(settings("Competed", Map.of("distributedid.block.max", "50")));
        try (DistributedIds one = DistributedIds.create(settings);
                DistributedIds two = DistributedIds.create(settings)) {
            List<IdSource> clients = List.of(one.sequence("photos"), two.sequence("photos"));
            long[] ids = Together.run(
                            4,
                            thread -> LongStream.generate(clients.get(thread % 2)::next)
                                    .limit(5_000)
                                    .toArray())
                    .stream()
                    .flatMapToLong(LongStream::of)
                    .toArray();

            assertThat(LongStream.of(ids).distinct().count()).isEqualTo(20_000);
            assertThat(LongStream.of(ids).map(id -> id % 3).distinct()).containsExactlyInAnyOrder(0L, 1L, 2L);
        }
    }

    @Test
    void oneLiveServerIsEnoughAndTheOthersAreUsedAgainWhenTheyComeBack() throws InterruptedException {
        Map<String, String> strict = Map.of("distributedid.block.max", "1");
        try (DistributedIds ids = DistributedIds.create(settings("Failover", strict))) {
            assertThat(LongStream.generate(() -> ids.next("photos"))
                            .limit(3)
                            .map(id -> id % 3)
                            .sorted())
                    .containsExactly(0L, 1L, 2L);

            SERVERS.get(0).kill9();
            SERVERS.get(2).kill9();
            for (int i = 0; i < 20; i++) {
                assertThat(ids.next("photos") % 3).isEqualTo(2);
            }

            SERVERS.get(0).restart();
            SERVERS.get(2).restart();
            Set<Long> remainders = new HashSet<>();
            Await.until(
                    "all three servers are used again",
                    () -> {
                        remainders.add(ids.next("photos") % 3);
                        return remainders.size() == 3;
                    },
                    () -> remainders);
        }
    }

    @Test
    void withAllDownTheReserveIsUsedUpAndThenThereIsAnErrorUntilOneIsBack() throws InterruptedException {
        Map<String, String> reserve = Map.of(
                "distributedid.block.min", "100",
                "distributedid.block.max", "100",
                "distributedid.block.timeout", "5s");
        try (DistributedIds ids = DistributedIds.create(settings("AllDown", reserve))) {
            ids.next("photos");
            SERVERS.forEach(MySqlServer::kill9);
            try {
                List<Long> fromReserve = LongStream.range(0, 99)
                        .mapToObj(i -> ids.next("photos"))
                        .collect(Collectors.toList());
                assertThat(fromReserve).doesNotHaveDuplicates();
                assertThatThrownBy(() -> {
                            for (int i = 0; i < 200; i++) {
                                ids.next("photos");
                            }
                        })
                        .isInstanceOf(IdUnavailableException.class)
                        .hasMessageStartingWith("No id ")
                        .hasMessageContaining(
                                "sequence 'photos' (DistributedIds): No server gives ids; jdbc:mysql://127.0.0.1:")
                        .message()
                        .satisfies(message -> SERVERS.forEach(server -> assertThat(message)
                                .contains("; jdbc:mysql://127.0.0.1:" + server.port()
                                        + "/three said: Connection refused. Check that the server runs")));
            } finally {
                SERVERS.forEach(MySqlServer::restart);
            }
            Await.until("ids are given again", () -> gives(ids), ids::health);
        }
    }

    private static boolean gives(DistributedIds ids) {
        try {
            return ids.next("photos") > 0;
        } catch (IdUnavailableException e) {
            return false;
        }
    }

    private static Map<String, String> settings(String table, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("distributedid.backend", "ticket");
        settings.put(
                "distributedid.ticket.servers",
                SERVERS.stream().map(server -> server.jdbcUrl("three")).collect(Collectors.joining(", ")));
        settings.put("distributedid.ticket.table", table);
        settings.put("distributedid.create_tables", "true");
        return settings;
    }
}

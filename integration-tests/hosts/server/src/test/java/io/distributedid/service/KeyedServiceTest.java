package io.distributedid.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.KeyedSequence;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.CallLedger;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers give numbers per key from rows in a real MySQL, to eight threads through two clients. While one server
 * after the other is killed and started again, no call fails, and each number is greater than all that were given
 * before its call began.
 */
@Needs(Need.MYSQL)
class KeyedServiceTest {

    private static final int THREADS = 8;

    private static final int KEYS = 3;

    /** Between two looks at what callers got. */
    private static final int ENOUGH = 200;

    @TempDir
    Path folder;

    private final List<CallLedger> ledgers =
            Stream.generate(CallLedger::new).limit(KEYS).toList();

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    private MySqlServer store;

    private Servers servers;

    private volatile boolean ending;

    @BeforeEach
    void start() throws Exception {
        store = MySqlServer.start(folder.resolve("store"));
        servers = Servers.start(
                folder,
                Map.of(
                        "distributedid.keyed.row.server",
                        store.jdbcUrl("numbers"),
                        "distributedid.create_tables",
                        true,
                        "distributedid.server.keyed",
                        "messages"));
    }

    @AfterEach
    void stop() {
        ending = true;
        threads.shutdownNow();
    }

    private DistributedIds client() {
        return DistributedIds.create(Map.of(
                "distributedid.keyed.backend",
                "remote",
                "distributedid.keyed.remote.servers",
                servers.urls(),
                // One server is always up, but the machine may be busy.
                "distributedid.block.timeout",
                "1m"));
    }

    @Test
    void numbersStayInOrderAndNoCallFailsWhileServersAreKilledInTurn() throws Exception {
        try (DistributedIds first = client();
                DistributedIds second = client()) {
            List<KeyedSequence> clients = List.of(first.keyed("messages"), second.keyed("messages"));
            List<Future<?>> callers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                KeyedSequence messages = clients.get(i % 2);
                callers.add(threads.submit(() -> call(messages)));
            }
            awaitNumbers();
            for (int place = 0; place < Servers.COUNT; place++) {
                servers.at(place).kill9();
                awaitNumbers();
                servers.restart(place);
                awaitNumbers();
            }
            ending = true;
            for (Future<?> each : callers) {
                each.get(2, TimeUnit.MINUTES);
            }
        }
        for (CallLedger ledger : ledgers) {
            assertThat(ledger.size()).isPositive();
            assertThat(ledger.distinct()).isEqualTo(ledger.size());
            assertThat(ledger.disorder()).isEmpty();
        }
    }

    private void call(KeyedSequence messages) {
        while (!ending) {
            int key = ThreadLocalRandom.current().nextInt(KEYS);
            long begin = System.nanoTime();
            long number = messages.next(key);
            ledgers.get(key)
                    .add(new CallLedger.Call(
                            begin,
                            System.nanoTime(),
                            number,
                            Thread.currentThread().getName()));
        }
    }

    private int given() {
        return ledgers.stream().mapToInt(CallLedger::size).sum();
    }

    private void awaitNumbers() {
        int before = given();
        Await.until("numbers are given", () -> given() >= before + ENOUGH);
    }
}

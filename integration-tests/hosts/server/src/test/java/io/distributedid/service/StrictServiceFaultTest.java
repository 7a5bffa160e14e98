package io.distributedid.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.CallLedger;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An active server and a standby, whose lease is in a real database. The active one is killed, stopped for three
 * leases, and stopped cleanly, again and again. A ledger of all calls shows that each id is greater than every id of an
 * answer that arrived before its call began, also those of callers who wait for a stopped server to go on.
 *
 * <p>{@code -Dfaults.rounds=20} makes the run longer, {@code -Dfaults.lease=5} the lease, in seconds.
 */
@Needs(Need.MYSQL)
class StrictServiceFaultTest {

    private static final int ROUNDS = Integer.getInteger("faults.rounds", 1);

    private final Duration lease = Duration.ofSeconds(Long.getLong("faults.lease", 1));

    @TempDir
    Path folder;

    private final CallLedger ledger = new CallLedger();

    private MySqlServer store;

    private Servers servers;

    private Callers callers;

    @BeforeEach
    void start() throws Exception {
        store = MySqlServer.start(folder.resolve("store"));
        servers = Servers.start(
                folder,
                Map.of(
                        "distributedid.backend", "snowflake",
                        "distributedid.snowflake.worker", "exclusive",
                        "distributedid.snowflake.layout", "strict",
                        "distributedid.snowflake.lease.server", store.jdbcUrl("ids"),
                        "distributedid.create_tables", true,
                        "distributedid.snowflake.lease.duration", lease.toSeconds() + "s",
                        "distributedid.server.sequences", "orders"));
        callers = new Callers(
                        servers,
                        "orders",
                        (begin, end, id, maker) -> ledger.add(new CallLedger.Call(begin, end, id, maker)))
                .pausing(Duration.ofMillis(5))
                .plain(6, Duration.ofMillis(500))
                .plain(4, Await.PATIENCE)
                .remote(
                        6,
                        Map.of(
                                "distributedid.backend", "remote",
                                "distributedid.remote.servers", servers.urls(),
                                // A takeover, on a busy machine.
                                "distributedid.block.timeout", "1m"));
    }

    @AfterEach
    void stop() {
        callers.close();
    }

    @Test
    void eachIdIsGreaterThanAllThatWereAnsweredBeforeItsRequestWasSent() throws Exception {
        callers.awaitIds();
        for (int round = 0; round < ROUNDS; round++) {
            int killed = active();
            long began = System.nanoTime();
            servers.at(killed).kill9();
            print("killed", killed, began);
            servers.restart(killed);
            callers.awaitIds();

            int paused = active();
            began = System.nanoTime();
            servers.at(paused).pause();
            print("stopped", paused, began);
            Thread.sleep(3 * lease.toMillis());
            servers.at(paused).resume();
            callers.awaitIds();

            int ended = active();
            servers.at(ended).terminate();
            assertThat(servers.at(ended).awaitExit())
                    .as(servers.at(ended).errors())
                    .isZero();
            print("ended cleanly", ended, System.nanoTime());
            servers.restart(ended);
            callers.awaitIds();
        }
        callers.end();

        System.out.println("strict service: " + ledger.size() + " ids, " + callers);
        assertThat(ledger.disorder()).isEmpty();
        assertThat(ledger.distinct()).isEqualTo(ledger.size());
        assertThat(ledger.takeovers()).isGreaterThanOrEqualTo(3 * ROUNDS);
    }

    /** The place of the server that gives the ids. */
    private int active() {
        int[] found = {-1};
        Await.until("a server is active", () -> {
            for (int place = 0; place < Servers.COUNT; place++) {
                if (isActive(place)) {
                    found[0] = place;
                }
            }
            return found[0] >= 0;
        });
        return found[0];
    }

    private boolean isActive(int place) throws Exception {
        return servers.at(place).send("GET", "/health/active").statusCode() == 200;
    }

    /** Waits until the other server is active. */
    private void print(String what, int place, long began) {
        int other = 1 - place;
        Await.until("the other server is active", () -> isActive(other));
        System.out.println("strict service: " + what + ", the other is active after "
                + Duration.ofNanos(System.nanoTime() - began).toMillis() + " ms");
    }
}

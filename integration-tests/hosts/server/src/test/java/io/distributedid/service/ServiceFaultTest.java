package io.distributedid.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.Together;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two active servers on two real ticket servers, with sixteen callers: eight by plain HTTP, eight through two clients
 * with backend {@code remote}. Whatever happens to one server, no id is given twice, and no call of {@code remote}
 * fails.
 *
 * <p>{@code -Dfaults.rounds=20} makes the run longer.
 */
@Needs(Need.MYSQL)
class ServiceFaultTest {

    /** Of a request by plain HTTP. So long that only a server that hangs is left for it. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final Duration PAUSE = Duration.ofMillis(20);

    private static final int IDLE = 2_000;

    private static final int ROUNDS = Integer.getInteger("faults.rounds", 1);

    /** Each test leaves both running. */
    private static List<MySqlServer> stores;

    @TempDir
    Path folder;

    private final GivenIds given = new GivenIds();

    private Servers servers;

    private Callers callers;

    @BeforeAll
    static void startStores(@TempDir Path folder) throws Exception {
        stores = Together.run(2, number -> store(folder, number + 1));
    }

    private static MySqlServer store(Path folder, int offset) {
        return MySqlServer.start(
                folder.resolve("store" + offset), "--auto-increment-increment=2", "--auto-increment-offset=" + offset);
    }

    @BeforeEach
    void start() throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("distributedid.backend", "ticket");
        settings.put(
                "distributedid.ticket.servers",
                stores.get(0).jdbcUrl("tickets") + ", " + stores.get(1).jdbcUrl("tickets"));
        settings.put("distributedid.create_tables", true);
        settings.put("distributedid.block.max", 500);
        settings.put("distributedid.block.timeout", "1s");
        settings.put("distributedid.server.request_timeout", "2s");
        settings.put("distributedid.server.drain", "2s");
        settings.put("distributedid.server.sequences", "photos");
        servers = Servers.start(folder, settings);
        callers = new Callers(servers, "photos", (begin, end, id, maker) -> given.add(id))
                .pausing(PAUSE)
                .plain(8, TIMEOUT)
                .remote(4, remote("1"))
                .remote(4, remote("100"));
    }

    private Map<String, Object> remote(String block) {
        return Map.of(
                "distributedid.backend",
                "remote",
                "distributedid.remote.servers",
                servers.urls(),
                "distributedid.block.max",
                block,
                // One server is always up, but the machine may be busy.
                "distributedid.block.timeout",
                "1m");
    }

    @AfterEach
    void stop() {
        callers.close();
    }

    @Test
    void noIdIsGivenTwiceAndNoRemoteCallFailsWhileServersFailInTurn() throws Exception {
        callers.awaitIds();
        for (int i = 0; i < ROUNDS * Servers.COUNT; i++) {
            int place = i % Servers.COUNT;
            servers.at(place).kill9();
            callers.awaitIds();
            servers.restart(place);
            callers.awaitIds();

            servers.at(place).pause();
            callers.awaitIds();
            servers.at(place).resume();
            callers.awaitIds();
        }
        check();
    }

    @Test
    void noRequestFailsWhileServersAreReplacedOneByOne() throws Exception {
        callers.awaitIds();
        for (int i = 0; i < ROUNDS * Servers.COUNT; i++) {
            int place = i % Servers.COUNT;
            servers.at(place).terminate();
            assertThat(servers.at(place).awaitExit())
                    .as(servers.at(place).errors())
                    .isZero();
            callers.awaitIds();
            servers.restart(place);
            callers.awaitIds();
        }
        check();

        callers.assertNoneBroken();
        assertThat(callers.ends("503")).as("requests that were refused").isZero();
        assertThat(callers.ends("left")).as("callers that were asked to leave").isPositive();
    }

    @Test
    void idleConnectionsAndHalfRequestsHoldUpNoCaller() throws Exception {
        callers.awaitIds();
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < IDLE; i++) {
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), servers.url(0).getPort());
                sockets.add(socket);
                if (i % 20 == 0) {
                    socket.getOutputStream()
                            .write("POST /v1/sequences/photos/above HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf"
                                    .getBytes(StandardCharsets.US_ASCII));
                }
            }
            callers.awaitIds();

            Socket half = sockets.get(0);
            half.setSoTimeout((int) Await.PATIENCE.toMillis());
            assertThat(new String(half.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 408");
            callers.awaitIds();
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
        check();
        callers.assertNoneBroken();
    }

    private void check() throws InterruptedException {
        callers.end();
        System.out.println("service faults: " + given.count() + " ids, " + callers);
        given.assertNoneTwice();
    }
}

package io.distributedid.service;

import io.distributedid.DistributedIds;
import io.distributedid.KeyedSequence;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three servers give numbers per key from memory, to sixteen callers through two clients, and to four by plain HTTP
 * with old tables. A ledger for each key shows that each number is greater than every number of an answer that arrived
 * before its request was sent, and that none is given twice, while faults are injected. No call of a client fails. The
 * longest time without a number is printed.
 *
 * <p>{@code -Dfaults.seconds=600} makes the run longer, {@code -Dfaults.seed=...} repeats the faults of another, and
 * {@code -Dfaults.lease=5} sets the lease, in seconds. The moments differ then all the same.
 */
@Needs(Need.MYSQL)
class KeyedServiceFaultTest {

    private static final int KEYS_OF_A_SERVER = 2;

    private final long seed = Long.getLong("faults.seed", System.nanoTime());

    private final Duration length = Duration.ofSeconds(Long.getLong("faults.seconds", 1));

    private final Duration lease = Duration.ofSeconds(Long.getLong("faults.lease", 1));

    @TempDir
    Path folder;

    private KeyedFleet fleet;

    private KeyedCalls calls;

    private Callers callers;

    private final List<DistributedIds> clients = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        System.out.println("keyed service faults: seed=" + seed);
        fleet = new KeyedFleet(folder, lease);
        calls = new KeyedCalls(fleet, keys());
        callers = new Callers(fleet.servers(), KeyedFleet.SEQUENCE, (begin, end, id, maker) -> {})
                .pausing(Duration.ofMillis(20));
        for (int i = 0; i < 2; i++) {
            DistributedIds client = fleet.client();
            clients.add(client);
            KeyedSequence messages = client.keyed(KeyedFleet.SEQUENCE);
            for (int caller = 0; caller < 8; caller++) {
                callers.start(
                        calls.remote(messages, (caller + i * 2) % calls.keys().size(), "client " + i));
            }
        }
    }

    /** Two of each server, once all have their part. */
    private List<String> keys() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        List<String> keys = new ArrayList<>();
        for (int place = 0; place < fleet.servers().count(); place++) {
            URI server = fleet.servers().url(place);
            List<String> found = new ArrayList<>();
            Await.until("the server at " + server + " has keys", () -> {
                String key = "key" + ThreadLocalRandom.current().nextInt(1_000);
                HttpResponse<String> answer = KeyedFleet.ask(client, Await.PATIENCE, server, key, 1);
                if (answer.statusCode() == 200 && !found.contains(key)) {
                    found.add(key);
                }
                return found.size() == KEYS_OF_A_SERVER;
            });
            keys.addAll(found);
        }
        return keys;
    }

    @AfterEach
    void stop() {
        if (callers != null) {
            callers.close();
        }
        clients.forEach(DistributedIds::close);
    }

    @Test
    void numbersOfAKeyAscendAndNoCallOfAClientFailsWhateverHappens() throws Exception {
        // Two give up soon and ask again, and two stay with a server that stands still.
        callers.start(calls.stale(Duration.ofMillis(500), "stale 0"))
                .start(calls.stale(Duration.ofSeconds(1), "stale 1"))
                .start(calls.stale(Await.PATIENCE, "patient 0"))
                .start(calls.stale(Await.PATIENCE, "patient 1"));
        callers.awaitIds();
        long began = System.nanoTime();
        KeyedFaults faults = new KeyedFaults(fleet, calls, callers, lease, new Random(seed));
        try {
            faults.runFor(length);
            callers.end();
        } catch (Exception | AssertionError e) {
            throw new AssertionError(e.getMessage() + " (seed=" + seed + ")" + faults, e);
        }
        System.out.println("keyed service faults: seed=" + seed + " answers=" + calls.given()
                + ", longest time without a number of a key: "
                + calls.longestGap(began, System.nanoTime()).toMillis() + " ms" + faults);
        calls.assertInOrder("seed=" + seed + faults);
    }
}

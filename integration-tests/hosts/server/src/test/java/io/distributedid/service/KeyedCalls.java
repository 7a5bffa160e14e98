package io.distributedid.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdConfigurationException;
import io.distributedid.KeyedSequence;
import io.distributedid.testkit.CallLedger;
import io.distributedid.testkit.CallLedger.Call;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What callers do to a {@link KeyedFleet}, and the ledger of each key. */
final class KeyedCalls {

    private static final int MOST_REDIRECTS = 3;

    private static final Pattern NUMBERS = Pattern.compile("\"first\":\"(\\d+)\",\"last\":\"(\\d+)\"");

    private static final Duration PAUSE = Duration.ofMillis(20);

    private final KeyedFleet fleet;

    private final List<String> keys;

    private final List<CallLedger> ledgers;

    KeyedCalls(KeyedFleet fleet, List<String> keys) {
        this.fleet = fleet;
        this.keys = keys;
        ledgers = Stream.generate(CallLedger::new).limit(keys.size()).toList();
    }

    List<String> keys() {
        return keys;
    }

    /** Takes one number or some of a key, through a client. There are none while the store lacks rows. */
    Callers.Call remote(KeyedSequence messages, int key, String maker) {
        return taken -> {
            try {
                take(messages, key, ThreadLocalRandom.current().nextInt(8) == 0 ? 3 : 1, maker);
                taken.incrementAndGet();
            } catch (IdConfigurationException e) {
                assertThat(e).hasMessageContaining("The store of a sequence has lost rows, or was set back");
                Thread.sleep(PAUSE.toMillis());
            }
        };
    }

    /** Takes numbers of a key, through a client. */
    void take(KeyedSequence messages, int key, int count, String maker) {
        long begin = System.nanoTime();
        long[] numbers = messages.next(keys.get(key), count);
        ledgers.get(key).add(new Call(begin, System.nanoTime(), numbers[0], numbers[count - 1], maker));
    }

    /**
     * Takes many numbers of any key by plain HTTP. The caller learns once who has which key, and never again; if
     * another server has it, it follows, and asks the former one the next time. It goes to the ports of the servers.
     *
     * @param timeout of a request
     */
    Callers.Call stale(Duration timeout, String maker) {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .build();
        Map<Integer, Integer> table = new HashMap<>();
        return taken -> {
            int key = ThreadLocalRandom.current().nextInt(keys.size());
            int place = table.getOrDefault(
                    key, ThreadLocalRandom.current().nextInt(fleet.servers().count()));
            for (int redirects = 0; place >= 0 && redirects <= MOST_REDIRECTS; redirects++) {
                HttpResponse<String> answer =
                        ask(client, timeout, fleet.servers().url(place), key, maker);
                if (answer == null || answer.statusCode() == 503) {
                    Thread.sleep(PAUSE.toMillis());
                    return;
                }
                if (answer.statusCode() == 200) {
                    table.putIfAbsent(key, place);
                    taken.incrementAndGet();
                    return;
                }
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(307);
                place = fleet.place(
                        URI.create(answer.headers().firstValue("location").orElseThrow()));
            }
        };
    }

    /** Asks a server for up to 300 numbers. Null if there is no answer. */
    HttpResponse<String> ask(HttpClient client, Duration timeout, URI server, int key, String maker)
            throws InterruptedException {
        int count = ThreadLocalRandom.current().nextInt(1, 300);
        long begin = System.nanoTime();
        try {
            HttpResponse<String> answer = KeyedFleet.ask(client, timeout, server, keys.get(key), count);
            long end = System.nanoTime();
            Matcher numbers = NUMBERS.matcher(answer.body());
            if (answer.statusCode() == 200 && numbers.find()) {
                long first = Long.parseLong(numbers.group(1));
                long last = Long.parseLong(numbers.group(2));
                assertThat(last - first + 1).isEqualTo(count);
                ledgers.get(key).add(new Call(begin, end, first, last, maker));
            }
            return answer;
        } catch (IOException e) {
            return null;
        }
    }

    /** How many calls got numbers. */
    int given() {
        return ledgers.stream().mapToInt(CallLedger::size).sum();
    }

    /** The longest time in which a key had no number, of all keys. */
    Duration longestGap(long from, long to) {
        return Duration.ofNanos(ledgers.stream()
                .mapToLong(ledger -> ledger.longestGap(from, to))
                .max()
                .orElseThrow());
    }

    /** Of each key, no number twice, and each greater than all that were answered before its request was sent. */
    void assertInOrder(String run) {
        for (int key = 0; key < keys.size(); key++) {
            CallLedger ledger = ledgers.get(key);
            assertThat(ledger.size()).isPositive();
            assertThat(ledger.twice())
                    .as("numbers of %s that were given twice, %s", keys.get(key), run)
                    .isEmpty();
            assertThat(ledger.disorder())
                    .as("calls for %s out of order, %s", keys.get(key), run)
                    .isEmpty();
        }
    }
}

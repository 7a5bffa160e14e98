package io.distributedid.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.ServerProcess;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that take ids of one sequence all the time: by plain HTTP, and through the backend {@code remote}. */
final class Callers implements AutoCloseable {

    /** Given each id. */
    interface Given {

        /**
         * @param begin before the call, in nanoseconds
         * @param end after its answer
         * @param maker the server, or what the id came through
         */
        void add(long begin, long end, long id, String maker);
    }

    private static final Duration PAUSE = Duration.ofMillis(5);

    private final Servers servers;

    private final String sequence;

    private final Given given;

    private final List<Thread> threads = new ArrayList<>();

    private final List<AtomicInteger> counts = new ArrayList<>();

    private final List<DistributedIds> clients = new ArrayList<>();

    private final Set<String> failures = ConcurrentHashMap.newKeySet();

    /** How often a request by plain HTTP had this end. */
    private final Map<String, Integer> ends = new ConcurrentHashMap<>();

    /** Why requests by plain HTTP had no answer. */
    private final Set<String> broken = ConcurrentHashMap.newKeySet();

    private volatile Duration pause = Duration.ZERO;

    private volatile boolean isOver;

    Callers(Servers servers, String sequence, Given given) {
        this.servers = servers;
        this.sequence = sequence;
        this.given = given;
    }

    /** From now on each thread pauses after a call: servers that are started again need the processors too. */
    Callers pausing(Duration time) {
        pause = time;
        return this;
    }

    /**
     * Adds threads that send requests themselves. Each stays with a server until that fails, refuses, or is about to
     * close the connection.
     *
     * @param timeout of a request
     */
    Callers plain(int count, Duration timeout) {
        for (int i = 0; i < count; i++) {
            HttpClient client = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(timeout)
                    .build();
            AtomicInteger server = new AtomicInteger(i % Servers.COUNT);
            start(taken -> request(client, timeout, server, taken));
        }
        return this;
    }

    /** Adds threads that share a client. */
    Callers remote(int count, Map<String, ?> settings) {
        DistributedIds ids = DistributedIds.create(settings);
        clients.add(ids);
        for (int i = 0; i < count; i++) {
            start(taken -> {
                long begin = System.nanoTime();
                long id = ids.next(sequence);
                given.add(begin, System.nanoTime(), id, "remote");
                taken.incrementAndGet();
            });
        }
        return this;
    }

    /** What a thread does again and again. */
    interface Call {

        /** @param taken counts what was given */
        void run(AtomicInteger taken) throws IOException, InterruptedException;
    }

    /** Adds a thread. */
    Callers start(Call call) {
        AtomicInteger taken = new AtomicInteger();
        counts.add(taken);
        Thread thread = new Thread(() -> {
            try {
                while (!isOver) {
                    call.run(taken);
                    Thread.sleep(pause.toMillis());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (IOException | RuntimeException | AssertionError e) {
                failures.add(e.toString());
            }
        });
        threads.add(thread);
        thread.start();
        return this;
    }

    private void request(HttpClient client, Duration timeout, AtomicInteger server, AtomicInteger taken)
            throws InterruptedException {
        int place = server.get();
        HttpRequest request = HttpRequest.newBuilder(servers.url(place).resolve("/v1/sequences/" + sequence + "/ids"))
                .timeout(timeout)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        long begin = System.nanoTime();
        HttpResponse<String> answer;
        try {
            answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            ends.merge("broken", 1, Integer::sum);
            broken.add(e.toString());
            server.set((place + 1) % Servers.COUNT);
            Thread.sleep(PAUSE.toMillis());
            return;
        }
        long end = System.nanoTime();
        ends.merge(Integer.toString(answer.statusCode()), 1, Integer::sum);
        boolean isLast = answer.headers().firstValue("connection").equals(Optional.of("close"));
        if (answer.statusCode() == 200) {
            ServerProcess.idsIn(answer.body()).forEach(id -> given.add(begin, end, id, "server " + place));
            taken.incrementAndGet();
        } else {
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
            assertThat(answer.headers().firstValue("retry-after")).isPresent();
            Thread.sleep(PAUSE.toMillis());
        }
        if (isLast || answer.statusCode() == 503) {
            ends.merge("left", isLast ? 1 : 0, Integer::sum);
            server.set((place + 1) % Servers.COUNT);
        }
    }

    /** Requests by plain HTTP that had no answer, and why. */
    void assertNoneBroken() {
        assertThat(broken).as("requests without an answer: " + ends("broken")).isEmpty();
    }

    /** How often requests by plain HTTP had an end: a status, or {@code broken}, or {@code left} after an answer. */
    int ends(String kind) {
        return ends.getOrDefault(kind, 0);
    }

    /** Waits until each thread has taken some more ids. */
    void awaitIds() {
        List<Integer> before = counts.stream().map(AtomicInteger::get).toList();
        Await.until(
                "each caller has ids",
                () -> {
                    assertThat(failures).isEmpty();
                    for (int i = 0; i < counts.size(); i++) {
                        if (counts.get(i).get() < before.get(i) + 3) {
                            return false;
                        }
                    }
                    return true;
                },
                () -> before + " before, now " + counts + ", plain requests: " + ends);
    }

    /** Ends all threads. None may have failed. */
    void end() throws InterruptedException {
        isOver = true;
        for (Thread thread : threads) {
            thread.join(Await.PATIENCE.toMillis());
            assertThat(thread.isAlive()).isFalse();
        }
        assertThat(failures).isEmpty();
    }

    @Override
    public void close() {
        isOver = true;
        threads.forEach(Thread::interrupt);
        clients.forEach(DistributedIds::close);
    }

    @Override
    public String toString() {
        return counts.stream().mapToInt(AtomicInteger::get).sum() + " calls, plain requests: " + ends;
    }
}

package benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RequestsTest {

    private static final String KEPT = "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s";

    private static final String LAST = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s";

    private final AtomicInteger asked = new AtomicInteger();

    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    private final Set<String> heads = ConcurrentHashMap.newKeySet();

    private final List<Long> ids = new ArrayList<>();

    private final Consumer<Answer> each = answer -> answer.numbers(ids::add);

    private RequestPath path = RequestPath.of("/ids");

    private final AtomicLong now = new AtomicLong(5);

    /** What the server answers to each request, which begin at 1. */
    private volatile IntFunction<String> answers = number -> answer(KEPT, number);

    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(() -> {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                daemon(() -> serve(socket));
            }
        });
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Test
    void flatOutEachConnectionAsksAgainAfterEachAnswer() throws IOException {
        long answered;
        try (Requests requests = requests(3)) {
            // The clock goes on with each request.
            answers = number -> {
                now.addAndGet(Duration.ofMillis(1).toNanos());
                return answer(KEPT, number);
            };
            answered = requests.flatOut(Duration.ofMillis(100));
            requests.settle();
        }

        assertThat(sockets).hasSize(3);
        assertThat(answered).isBetween(97L, (long) asked.get());
        assertThat(ids).hasSize(asked.get());
        assertThat(new HashSet<>(ids)).hasSize(asked.get());
        assertThat(heads).containsExactly("POST /ids HTTP/1.1, Content-Length: 0");
    }

    @Test
    void eachRequestDrawsAKeyOfTheSameLength() throws IOException {
        path = new RequestPath("/numbers?key=", 3);
        onSchedule(100);

        assertThat(heads)
                .containsExactlyInAnyOrder(
                        "POST /numbers?key=1000000 HTTP/1.1, Content-Length: 0",
                        "POST /numbers?key=1000001 HTTP/1.1, Content-Length: 0",
                        "POST /numbers?key=1000002 HTTP/1.1, Content-Length: 0");
    }

    @Test
    void keysWithMoreDigitsAreRefused() {
        assertThatThrownBy(() -> new RequestPath("/numbers?key=", 9_000_001))
                .hasMessage("A key must have 7 digits: keys=9000001, allowed: 0 to 9000000");
    }

    @Test
    void flatOutAllConnectionsAreBusyAtTheSameTime() throws IOException {
        CountDownLatch busy = new CountDownLatch(3);
        answers = number -> {
            busy.countDown();
            awaitZero(busy);
            now.addAndGet(Duration.ofMillis(1).toNanos());
            return answer(KEPT, number);
        };
        try (Requests requests = requests(3)) {
            assertThat(requests.flatOut(Duration.ofMillis(10))).isPositive();
            requests.settle();
        }
    }

    @Test
    void aConnectionThatTheServerClosesIsOpenedAgain() throws IOException {
        answers = number -> answer(number % 10 == 0 ? LAST : KEPT, number);
        onSchedule(35);

        assertThat(ids)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 35).mapToObj(Long::valueOf).toList());
        assertThat(sockets).hasSize(4);
    }

    @Test
    void anAnswerInTimeTakesNoTime() throws IOException {
        try (Requests requests = requests(2)) {
            assertThat(requests.onSchedule(1_000, 50)).containsOnly(0);
        }

        assertThat(asked).hasValue(50);
        assertThat(now).hasValue(5 + Duration.ofMillis(49).toNanos());
    }

    @Test
    void aSlowAnswerDelaysAllRequestsThatAreDueMeanwhile() throws IOException {
        answers = number -> {
            if (number == 10) {
                now.addAndGet(Duration.ofMillis(30).toNanos());
            }
            return answer(KEPT, number);
        };
        long[] times;
        try (Requests requests = requests(1)) {
            times = requests.onSchedule(1_000, 50);
        }

        // Number 10 was due at 9 ms and takes 30; the next one was due a millisecond later, and so on.
        assertThat(Arrays.stream(times).map(nanos -> nanos / 1_000_000).boxed())
                .containsExactlyElementsOf(IntStream.range(0, 50)
                        .mapToObj(number -> number < 9 ? 0L : Math.max(0L, 39L - number))
                        .toList());
    }

    @Test
    void anErrorEndsTheRun() {
        answers = number -> "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n";

        assertThatThrownBy(() -> onSchedule(1))
                .hasRootCauseMessage(
                        "The server gave no id: HTTP/1.1 500 Internal Server Error\r\n" + "Content-Length: 0\r\n\r\n");
    }

    private void onSchedule(int count) throws IOException {
        try (Requests requests = requests(1)) {
            requests.onSchedule(1_000, count);
        }
    }

    private Requests requests(int count) throws IOException {
        return new Requests(
                server.getLocalPort(), path, count, each, now::get, due -> now.accumulateAndGet(due, Math::max));
    }

    private static void awaitZero(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String answer(String form, int id) {
        String body = Integer.toString(id);
        return form.formatted(body.length(), body);
    }

    private void serve(Socket socket) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String head = line;
            for (line = lines.readLine(); !line.isEmpty(); line = lines.readLine()) {
                head += line.startsWith("Host: 127.0.0.1:") ? "" : ", " + line;
            }
            heads.add(head);
            String answer = answers.apply(asked.incrementAndGet());
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            if (answer.contains("Connection: close")) {
                socket.close();
                return;
            }
        }
    }

    /** Ends when its socket is closed. */
    private static void daemon(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                // Closed.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @FunctionalInterface
    private interface Task {
        void run() throws IOException;
    }
}

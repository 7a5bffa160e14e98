package benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RoundTripsTest {

    private static final Duration DISTANCE = Duration.ofMillis(1);

    private ServerSocket listening;

    private RoundTrips trips;

    private Socket client;

    private Socket server;

    @BeforeEach
    void connect() throws IOException {
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        trips = new RoundTrips(listening.getLocalPort(), DISTANCE);
        client = new Socket(InetAddress.getLoopbackAddress(), trips.port());
        client.setTcpNoDelay(true);
        server = listening.accept();
        server.setTcpNoDelay(true);
        client.setSoTimeout(30_000);
        server.setSoTimeout(30_000);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        server.close();
        trips.close();
        listening.close();
    }

    @Test
    void eachWayTakesTheDistance() throws IOException {
        long shortest = Long.MAX_VALUE;
        for (int turn = 0; turn < 50; turn++) {
            long start = System.nanoTime();
            send(client, "question");
            receive(server, "question");
            send(server, "answer");
            receive(client, "answer");
            shortest = Math.min(shortest, System.nanoTime() - start);
        }

        assertThat(Duration.ofNanos(shortest)).isBetween(DISTANCE.multipliedBy(2), DISTANCE.multipliedBy(10));
        assertThat(trips.count()).isEqualTo(50);
    }

    @Test
    void whatAClientSendsBeforeTheAnswerIsOneTrip() throws IOException {
        send(client, "one");
        receive(server, "one");
        send(client, "two");
        receive(server, "two");
        send(server, "answer");
        receive(client, "answer");

        assertThat(trips.count()).isEqualTo(1);
    }

    @Test
    void allBytesArriveInTheirOrder() throws Exception {
        byte[] sent = new byte[1 << 20];
        new Random(1).nextBytes(sent);
        CompletableFuture<byte[]> received = CompletableFuture.supplyAsync(() -> read(server, sent.length));
        client.getOutputStream().write(sent);

        assertThat(received.get()).isEqualTo(sent);
    }

    @Test
    void theEndArrivesAfterTheBytes() throws IOException {
        send(client, "farewell");
        client.shutdownOutput();

        receive(server, "farewell");
        assertThat(server.getInputStream().read()).isEqualTo(-1);
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void receive(Socket socket, String expected) {
        assertThat(new String(read(socket, expected.length()), StandardCharsets.US_ASCII))
                .isEqualTo(expected);
    }

    private static byte[] read(Socket socket, int length) {
        try {
            InputStream in = socket.getInputStream();
            return in.readNBytes(length);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

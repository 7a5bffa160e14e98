package benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between a client and a server, as far from it as told, and counts the round trips: how often the client sends
 * after the server has answered. The count is right for protocols in which client and server take turns, like those of
 * databases.
 */
public final class RoundTrips implements AutoCloseable {

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

    private final int server;

    private final Duration distance;

    private final AtomicLong trips = new AtomicLong();

    /** Listens for clients of a server on this machine. */
    public RoundTrips(int server) throws IOException {
        this(server, Duration.ZERO);
    }

    /**
     * As above.
     *
     * @param distance the time that each way takes: a round trip takes twice as long
     */
    public RoundTrips(int server, Duration distance) throws IOException {
        this.server = server;
        this.distance = distance;
        DelayedCopy.daemon(this::accept);
    }

    /** Where clients connect to. */
    public int port() {
        return listening.getLocalPort();
    }

    /** How many there were, over all connections. */
    public long count() {
        return trips.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket behind = new Socket(InetAddress.getLoopbackAddress(), server);
                client.setTcpNoDelay(true);
                behind.setTcpNoDelay(true);
                AtomicBoolean answered = new AtomicBoolean(true);
                Runnable asked = () -> {
                    if (answered.getAndSet(false)) {
                        trips.incrementAndGet();
                    }
                };
                new DelayedCopy(client, behind, distance, asked, () -> {}).start();
                new DelayedCopy(behind, client, distance, () -> {}, () -> answered.set(true)).start();
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}

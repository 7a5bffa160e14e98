package benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between a client and a server, and counts the round trips: how often the client sends after the server has
 * answered. The count is right for protocols in which client and server take turns, like those of databases.
 */
public final class RoundTrips implements AutoCloseable {

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

    private final int server;

    private final AtomicLong trips = new AtomicLong();

    /** Listens for clients of a server on this machine. */
    public RoundTrips(int server) throws IOException {
        this.server = server;
        start(this::accept);
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
                start(() -> copy(client, behind, () -> {
                    if (answered.getAndSet(false)) {
                        trips.incrementAndGet();
                    }
                }));
                start(() -> copy(behind, client, () -> answered.set(true)));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private static void copy(Socket from, Socket to, Runnable each) {
        byte[] buffer = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                each.run();
                out.write(buffer, 0, length);
            }
        } catch (IOException e) {
            // One side has closed the connection.
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "round-trips");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}

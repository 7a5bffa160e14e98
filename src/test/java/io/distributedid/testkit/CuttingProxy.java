package io.distributedid.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A TCP proxy in front of a server. It can cut a connection at its worst moment: a MySQL server has done what it was
 * told, and its answer is lost. Or it holds all that is sent, as a network that loses each packet: connections stay
 * open, and what was sent arrives late. Or it delays each packet, or breaks all connections. While the server is down,
 * a new connection is closed at once.
 */
public final class CuttingProxy implements AutoCloseable {

    private static final int LARGEST_PACKET = 1 << 16;

    /** Which way bytes go. */
    public enum Way {
        TO_SERVER,
        TO_CLIENT
    }

    private record Cut(String statement, CompletableFuture<Boolean> done) {}

    private volatile int serverPort;

    private final ServerSocket listener;

    private final AtomicReference<Cut> armed = new AtomicReference<>();

    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();

    private volatile Set<Way> held = Set.of();

    private volatile long delayMillis;

    public CuttingProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
        ServerScope.add(this);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Connections that are opened from now on go to another server, as after a failover. */
    public void switchTo(int port) {
        serverPort = port;
    }

    /**
     * Cuts the connection on which the next such statement is sent, once its answer is there.
     *
     * @param statement a part of it, in capitals
     * @return done when the connection is cut
     */
    public Future<Boolean> cutAtAnswerTo(String statement) {
        Cut cut = new Cut(statement, new CompletableFuture<>());
        armed.set(cut);
        return cut.done;
    }

    /** From now on nothing arrives these ways, not even the end of a connection. */
    public void hold(Set<Way> ways) {
        change(Set.copyOf(ways));
    }

    /** What was held arrives, and all that follows. */
    public void letPass() {
        change(Set.of());
    }

    /** From now on each packet arrives so much later, one after the other. */
    public void delay(Duration time) {
        delayMillis = time.toMillis();
    }

    /** Breaks all connections; new ones are possible at once. */
    public void breakAll() {
        sockets.forEach(this::hangUp);
    }

    private void change(Set<Way> ways) {
        lock.lock();
        try {
            held = ways;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void awaitPassage(Way way) {
        delay();
        lock.lock();
        try {
            while (held.contains(way)) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private void delay() {
        if (delayMillis > 0) {
            try {
                Thread.sleep(delayMillis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                sockets.add(client);
                start(() -> connect(client));
            }
        } catch (IOException e) {
            // Closed.
            return;
        }
    }

    private void connect(Socket client) {
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            sockets.add(server);
            Link link = new Link(client, server);
            start(link::carryRequests);
            start(link::carryAnswers);
        } catch (IOException e) {
            hangUp(client);
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void hangUp(Socket socket) {
        try {
            sockets.remove(socket);
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        letPass();
        listener.close();
        sockets.forEach(this::hangUp);
    }

    /** A connection of a client and the one to the server that belongs to it. */
    private final class Link {

        private final Socket client;

        private final Socket server;

        /** Written before the request goes on, so that its answer finds it. */
        private volatile Cut cut;

        Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void carryRequests() {
            try {
                InputStream in = client.getInputStream();
                OutputStream out = server.getOutputStream();
                byte[] packet = new byte[LARGEST_PACKET];
                for (int length = in.read(packet); length > 0; length = in.read(packet)) {
                    awaitPassage(Way.TO_SERVER);
                    Cut wanted = armed.get();
                    if (wanted != null
                            && text(packet, length).contains(wanted.statement)
                            && armed.compareAndSet(wanted, null)) {
                        cut = wanted;
                    }
                    out.write(packet, 0, length);
                }
            } catch (IOException e) {
                // One side has closed: so does the other.
            } finally {
                awaitPassage(Way.TO_SERVER);
                end();
            }
        }

        void carryAnswers() {
            try {
                InputStream in = server.getInputStream();
                OutputStream out = client.getOutputStream();
                byte[] packet = new byte[LARGEST_PACKET];
                for (int length = in.read(packet); length > 0 && cut == null; length = in.read(packet)) {
                    awaitPassage(Way.TO_CLIENT);
                    out.write(packet, 0, length);
                }
            } catch (IOException e) {
                // One side has closed: so does the other.
            } finally {
                awaitPassage(Way.TO_CLIENT);
                end();
            }
        }

        private void end() {
            hangUp(client);
            hangUp(server);
            Cut wanted = cut;
            if (wanted != null) {
                wanted.done.complete(true);
            }
        }
    }

    private static String text(byte[] packet, int length) {
        return new String(packet, 0, length, StandardCharsets.ISO_8859_1).toUpperCase(Locale.ROOT);
    }
}

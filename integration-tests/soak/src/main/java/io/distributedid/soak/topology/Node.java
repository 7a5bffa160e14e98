package io.distributedid.soak.topology;

import io.distributedid.testkit.CuttingProxy;
import io.distributedid.testkit.RealServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** A server behind a proxy, which all its clients go through. */
public final class Node implements AutoCloseable {

    private static final int STARTS = 20;

    private static final int PAUSE_MILLIS = 500;

    /** A port at which no server of ours ever listens. */
    private static final int NOBODY = 1;

    private final String name;

    private volatile RealServer server;

    private final CuttingProxy proxy;

    Node(String name, RealServer server) throws IOException {
        this.name = name;
        this.server = server;
        this.proxy = new CuttingProxy(server.port());
    }

    public String name() {
        return name;
    }

    public RealServer server() {
        return server;
    }

    public CuttingProxy proxy() {
        return proxy;
    }

    /** Another server takes the place. Connections are broken, and opened there from now on. */
    void moveTo(RealServer other) {
        server = other;
        proxy.switchTo(other.port());
        proxy.breakAll();
    }

    /** The URL of a server, with the port of the proxy. */
    String proxied(String url) {
        return url.replace(":" + server.port(), ":" + proxy.port());
    }

    /** What is done to a server that has no clients. */
    public interface Work {
        void run() throws Exception;
    }

    /** Breaks all connections of clients, and opens none until the work is done. */
    public void whileUnreachable(Work work) throws Exception {
        proxy.switchTo(NOBODY);
        // PostgreSQL does not stop before its clients have left.
        proxy.breakAll();
        try {
            work.run();
        } finally {
            proxy.switchTo(server.port());
        }
    }

    /** Starts the server again. Tries it for ten seconds: after a kill, some of its processes may still run. */
    public void restart() throws Exception {
        for (int i = 1; ; i++) {
            try {
                whileUnreachable(server::restart);
                return;
            } catch (IllegalStateException e) {
                if (i == STARTS) {
                    throw e;
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }

    /** SIGSTOP to the server and all processes that it has started. */
    public void pause() throws IOException, InterruptedException {
        server.pause();
        signal("STOP");
    }

    /** SIGCONT to all. */
    public void resume() throws IOException, InterruptedException {
        signal("CONT");
        server.resume();
    }

    private void signal(String signal) throws IOException, InterruptedException {
        List<Long> processes = ProcessHandle.of(server.pid())
                .map(handle -> handle.descendants().map(ProcessHandle::pid).toList())
                .orElse(List.of());
        for (long process : processes) {
            // One may have ended meanwhile.
            new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process + " 2>/dev/null || true")
                    .start()
                    .waitFor();
        }
    }

    @Override
    public void close() {
        try {
            proxy.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            server.close();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}

package io.distributedid.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A real Redis or Valkey server or Sentinel, of the Debian packages {@code redis-server}, {@code valkey-server} and
 * {@code redis-sentinel}. A server writes each change to its disk before it answers, unless it is started with other
 * options.
 */
public final class RedisServer extends RealServer {

    private static final int ANSWER_MILLIS = 1000;

    private static final String REDIS = "redis-server";

    private static final String SENTINEL = "redis-sentinel";

    private static final List<String> DURABLE = List.of(
            "--appendonly",
            "yes",
            "--appendfsync",
            "always",
            "--save",
            "",
            "--protected-mode",
            "no",
            "--repl-diskless-sync-delay",
            "0");

    private final String program;

    private RedisServer(Path home, int port, String program, List<String> command) {
        super(home, port, command);
        this.program = program;
    }

    /**
     * Starts a server.
     *
     * @param dir an empty folder, or one that is still to be made; {@link #close()} deletes it
     * @param extraArgs options that come last and so win, for example {@code --appendfsync everysec}
     */
    public static RedisServer start(Path dir, String... extraArgs) {
        return start(REDIS, dir, extraArgs);
    }

    /** As {@link #start}, a Valkey server. */
    public static RedisServer startValkey(Path dir, String... extraArgs) {
        return start("valkey-server", dir, extraArgs);
    }

    private static RedisServer start(String program, Path dir, String... extraArgs) {
        RealServers.requireCommand(program);
        Path home = newHome(dir);
        int port = Ports.take();
        List<String> command = new ArrayList<>(List.of(program, "--port", Integer.toString(port)));
        command.addAll(
                List.of("--bind", "127.0.0.1", "--dir", home.resolve("data").toString()));
        command.addAll(DURABLE);
        command.addAll(List.of(extraArgs));
        return launched(new RedisServer(home, port, program, command));
    }

    /** Starts a replica of this server, of the same program. */
    public RedisServer replica(Path dir, String... extraArgs) {
        List<String> arguments = new ArrayList<>(List.of("--replicaof", "127.0.0.1 " + port()));
        arguments.addAll(List.of(extraArgs));
        return start(program, dir, arguments.toArray(String[]::new));
    }

    /** Starts a Sentinel that watches this server as {@code ids}, and promotes a replica after half a second. */
    public RedisServer sentinel(Path dir) {
        return sentinel(dir, port());
    }

    /** As {@link #sentinel(Path)}, at another port of this server, with more lines in its configuration. */
    public RedisServer sentinel(Path dir, int watched, String... lines) {
        RealServers.requireCommand(SENTINEL);
        Path home = newHome(dir);
        int port = Ports.take();
        Path config = home.resolve("data").resolve("sentinel.conf");
        List<String> all = new ArrayList<>(List.of(lines));
        all.addAll(List.of(
                "port " + port,
                "bind 127.0.0.1",
                "protected-mode no",
                "dir " + home.resolve("data"),
                "sentinel monitor ids 127.0.0.1 " + watched + " 1",
                "sentinel down-after-milliseconds ids 500",
                "sentinel failover-timeout ids 10000"));
        try {
            Files.write(config, all);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return launched(new RedisServer(home, port, SENTINEL, List.of(SENTINEL, config.toString())));
    }

    private static RedisServer launched(RedisServer server) {
        server.launch();
        return server;
    }

    private static Path newHome(Path dir) {
        try {
            Path template = Files.createTempDirectory("redis");
            Path home = newHome(dir, template);
            Files.delete(template);
            return home;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The server's URL, without database. */
    public String url() {
        return "redis://127.0.0.1:" + port();
    }

    /** The URL of the master that this Sentinel knows. */
    public String sentinelUrl() {
        return "redis-sentinel://127.0.0.1:" + port() + "/0#ids";
    }

    /** Runs a command, and returns what {@code redis-cli} prints. */
    public String command(String... words) {
        List<String> command = new ArrayList<>(List.of("redis-cli", "-h", "127.0.0.1", "-p", Integer.toString(port())));
        command.addAll(Arrays.asList(words));
        try {
            return TestFiles.run(command).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * As {@link #command}, or the reason why there is no answer. For those who wait: Sentinel has a server break off
     * its connections when it changes the server's role.
     */
    public String ask(String... words) {
        try {
            return command(words);
        } catch (UncheckedIOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** A server that loads its data answers too, but is not ready. */
    @Override
    boolean greets() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII);
            return answer.equals("+PONG") || answer.equals("-NOAU");
        } catch (IOException e) {
            return false;
        }
    }
}

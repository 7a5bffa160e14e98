package io.distributedid.testkit;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A real Redis or Valkey server, or a Sentinel, which is the same program. Redis is the one of the {@code PATH}, or
 * else unpacked from the class path (artifact {@code com.github.codemonstur:embedded-redis}); Valkey is the one of the
 * {@code PATH}. A server writes each change to its disk before it answers, unless it is started with other options.
 */
public final class RedisServer extends RealServer {

    static final String REDIS = "redis-server";

    static final String VALKEY = "valkey-server";

    /** A server of a cluster listens at a second port, so far above its own. */
    public static final int CLUSTER_BUS = 10_000;

    private static final int GREETING_MILLIS = 1000;

    private static final int ANSWER_MILLIS = 120_000;

    /** In the artifact, for a system and its processor as Java names them. */
    private static final Map<String, String> UNPACKED = Map.of(
            "Linux amd64", "redis-server-6.2.6-v5-linux-amd64",
            "Linux aarch64", "redis-server-6.2.7-linux-arm64",
            "Mac OS X x86_64", "redis-server-6.2.6-v5-darwin-amd64",
            "Mac OS X aarch64", "redis-server-6.2.6-v5-darwin-arm64");

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
        Need.REDIS.require();
        return start(program().orElseThrow().toString(), dir, extraArgs);
    }

    /** As {@link #start}, a Valkey server. */
    public static RedisServer startValkey(Path dir, String... extraArgs) {
        Need.VALKEY.require();
        return start(VALKEY, dir, extraArgs);
    }

    /** The program of Redis; empty if there is none, or none that this machine can load. */
    static Optional<Path> program() {
        return Need.program(REDIS).or(RedisServer::unpacked);
    }

    private static synchronized Optional<Path> unpacked() {
        String name = UNPACKED.get(System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        URL found = name == null ? null : RedisServer.class.getClassLoader().getResource(name);
        if (found == null) {
            return Optional.empty();
        }
        Path program = TestFiles.cached(name, folder -> {
                    Path unpacked = folder.resolve(REDIS);
                    try (InputStream in = found.openStream()) {
                        Files.copy(in, unpacked);
                    }
                    if (!unpacked.toFile().setExecutable(true)) {
                        throw new IOException("Cannot be made executable: " + unpacked);
                    }
                })
                .resolve(REDIS);
        try {
            TestFiles.run(List.of(program.toString(), "--version"));
            return Optional.of(program);
        } catch (IOException e) {
            System.err.println("Redis of the class path can't run here: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static RedisServer start(String program, Path dir, String... extraArgs) {
        Path home = newHome(dir);
        int port = List.of(extraArgs).contains("--cluster-enabled") ? Ports.take(CLUSTER_BUS) : Ports.take();
        List<String> command = new ArrayList<>(List.of(program, "--port", Integer.toString(port)));
        command.addAll(
                List.of("--bind", "127.0.0.1", "--dir", home.resolve("data").toString()));
        command.addAll(DURABLE);
        command.addAll(List.of(extraArgs));
        return launched(new RedisServer(home, port, program, command));
    }

    /** Starts a replica of this server, of the same program. */
    public RedisServer replica(Path dir, String... extraArgs) {
        List<String> arguments = new ArrayList<>(List.of("--replicaof", "127.0.0.1", Integer.toString(port())));
        arguments.addAll(List.of(extraArgs));
        return start(program, dir, arguments.toArray(String[]::new));
    }

    /** Starts a Sentinel that watches this server as {@code ids}, and promotes a replica after half a second. */
    public RedisServer sentinel(Path dir) {
        return sentinel(dir, port());
    }

    /** As {@link #sentinel(Path)}, at another port of this server, with more lines in its configuration. */
    public RedisServer sentinel(Path dir, int watched, String... lines) {
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
        return launched(new RedisServer(home, port, program, List.of(program, config.toString(), "--sentinel")));
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

    /**
     * Runs a command, and returns the answer: text, numbers and errors as they are, those of a list in a line each, and
     * nothing for nil.
     */
    public String command(String... words) {
        StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            request.append("$" + word.getBytes(StandardCharsets.UTF_8).length + "\r\n" + word + "\r\n");
        }
        try (Socket socket = connect(ANSWER_MILLIS)) {
            socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
            return answer(new DataInputStream(new BufferedInputStream(socket.getInputStream())))
                    .strip();
        } catch (IOException e) {
            throw new UncheckedIOException(String.join(" ", words) + " at " + url() + ": " + e, e);
        }
    }

    private static String answer(DataInputStream in) throws IOException {
        String head = line(in);
        String rest = head.substring(1);
        if (head.charAt(0) == '$') {
            byte[] text = new byte[Math.max(0, Integer.parseInt(rest))];
            in.readFully(text);
            if (!rest.equals("-1")) {
                line(in);
            }
            return new String(text, StandardCharsets.UTF_8);
        }
        if (head.charAt(0) == '*') {
            List<String> all = new ArrayList<>();
            for (int left = Integer.parseInt(rest); left > 0; left--) {
                all.add(answer(in));
            }
            return String.join("\n", all);
        }
        return rest;
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (char next = (char) in.readUnsignedByte(); next != '\n'; next = (char) in.readUnsignedByte()) {
            line.append(next);
        }
        return line.toString().strip();
    }

    private Socket connect(int answerMillis) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), GREETING_MILLIS);
            socket.setSoTimeout(answerMillis);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
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
        try (Socket socket = connect(GREETING_MILLIS)) {
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII);
            return answer.equals("+PONG") || answer.equals("-NOAU");
        } catch (IOException e) {
            return false;
        }
    }
}

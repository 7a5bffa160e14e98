package io.distributedid.testkit;

import io.distributedid.DistributedIds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** An issuing service in a process of its own, and a client of it. */
public final class ServerProcess implements AutoCloseable {

    private static final String MAIN = "io.distributedid.server.Main";

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Pattern URL = Pattern.compile("The server listens at (\\S+) ");

    private static final Pattern ID = Pattern.compile("\"(\\d+)\"");

    private static final Set<Process> LIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> LIVE.forEach(Process::destroyForcibly)));
    }

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    private final Process process;

    private final Path errors;

    private final URI url;

    private ServerProcess(Process process, Path errors) throws IOException {
        this.process = process;
        this.errors = errors;
        url = URI.create(firstUrl(process.inputReader(StandardCharsets.UTF_8)));
    }

    /**
     * Starts a server with the class path of this JVM, in a folder. Returns when it listens.
     *
     * @param settings by their full names
     */
    public static ServerProcess start(Path folder, Map<String, ?> settings) throws IOException {
        return start(folder, settings, Map.of());
    }

    /**
     * As above.
     *
     * @param environment variables of the process, beside those of this JVM
     */
    public static ServerProcess start(Path folder, Map<String, ?> settings, Map<String, String> environment)
            throws IOException {
        return start(
                folder,
                environment,
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                MAIN,
                config(folder, settings));
    }

    private static String config(Path folder, Map<String, ?> settings) throws IOException {
        Path file = Files.createTempFile(folder, "ids", ".properties");
        Files.write(
                file,
                settings.entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .toList());
        return "--config=" + file;
    }

    /**
     * Starts the packed program that was installed with the library on the class path. Any free port, ids of photos,
     * comments, albums and accounts, counted in memory. It ends with this JVM, and deletes its files.
     *
     * @param settings by their full names, for other ids
     */
    public static ServerProcess packed(Map<String, ?> settings) {
        try {
            Path library = JavaProcess.jarOf(DistributedIds.class.getName());
            Path program =
                    library.resolveSibling(library.getFileName().toString().replaceFirst("\\.jar$", "-server.jar"));
            Path folder = Files.createTempDirectory("server");
            Map<String, Object> all = new HashMap<>();
            all.put("distributedid.backend", "sequence_table");
            all.put("distributedid.sequence_table.servers", "jdbc:h2:mem:ids;DB_CLOSE_DELAY=-1");
            all.put("distributedid.create_tables", true);
            all.put("distributedid.server.port", 0);
            all.put("distributedid.server.sequences", "photos, comments, albums, accounts");
            all.putAll(settings);
            ServerProcess started = start(folder, Map.of(), "-jar", program.toString(), config(folder, all));
            TestFiles.deleteTree(folder);
            return started;
        } catch (IOException e) {
            throw new IllegalStateException("The packed server does not start", e);
        }
    }

    /** Starts a server by {@code java} and these arguments, in a folder. Returns when it listens. */
    public static ServerProcess start(Path folder, String... arguments) throws IOException {
        return start(folder, Map.of(), arguments);
    }

    private static ServerProcess start(Path folder, Map<String, String> environment, String... arguments)
            throws IOException {
        Path errors = Files.createTempFile(folder, "errors", ".txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectError(errors.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        LIVE.add(process);
        process.onExit().thenRun(() -> LIVE.remove(process));
        try {
            return ServerScope.add(new ServerProcess(process, errors));
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private String firstUrl(BufferedReader out) throws IOException {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher found = URL.matcher(line);
            if (found.find()) {
                return found.group(1);
            }
        }
        throw new IOException("The server did not start: " + errors());
    }

    /** What it logged. */
    public String errors() {
        try {
            return TestFiles.read(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public URI url() {
        return url;
    }

    /** Sends a request without a body. */
    public HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(url.resolve(path))
                .timeout(PATIENCE)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Takes ids, which must be given. */
    public List<Long> ids(String sequence, int count) throws IOException, InterruptedException {
        HttpResponse<String> answer = send("POST", "/v1/sequences/" + sequence + "/ids?n=" + count);
        if (answer.statusCode() != 200) {
            throw new IOException(answer.statusCode() + " " + answer.body());
        }
        return idsIn(answer.body()).toList();
    }

    /** The ids of an answer. */
    public static Stream<Long> idsIn(String body) {
        return ID.matcher(body).results().map(id -> Long.valueOf(id.group(1)));
    }

    /** Sends SIGTERM. */
    public void terminate() {
        process.destroy();
    }

    /** Sends SIGKILL. Returns when the process is gone. */
    public void kill9() throws InterruptedException {
        process.destroyForcibly();
        awaitExit();
    }

    /** Sends SIGSTOP: connections stay open, but nothing answers. */
    public void pause() throws IOException {
        signal("STOP");
    }

    /** Sends SIGCONT. */
    public void resume() throws IOException {
        signal("CONT");
    }

    private void signal(String name) throws IOException {
        JavaProcess.signal(name, process.pid());
    }

    /** Waits for its end, and returns its exit code. */
    public int awaitExit() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("The server did not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

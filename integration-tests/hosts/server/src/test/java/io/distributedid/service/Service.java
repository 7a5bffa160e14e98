package io.distributedid.service;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The packed program, in a process of its own. */
final class Service implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Pattern URL = Pattern.compile("The server listens at (\\S+) ");

    private static final Pattern ID = Pattern.compile("\"(\\d+)\"");

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    private final Process process;

    private final BufferedReader out;

    private final Path errors;

    private final URI url;

    private Service(Process process, Path errors) throws IOException {
        this.process = process;
        this.errors = errors;
        out = process.inputReader(StandardCharsets.UTF_8);
        url = URI.create(firstUrl());
    }

    /** {@code java -jar}, in a folder; returns when the server listens. */
    static Service start(Path folder, String... arguments) throws IOException {
        Path errors = Files.createTempFile(folder, "errors", ".txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                jar().toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            return new Service(process, errors);
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    static Path jar() {
        try {
            return Path.of(Class.forName("io.distributedid.server.Main")
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (ClassNotFoundException | URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private String firstUrl() throws IOException {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher found = URL.matcher(line);
            if (found.find()) {
                return found.group(1);
            }
        }
        throw new IOException("The server did not start: " + errors());
    }

    String errors() throws IOException {
        return Files.readString(errors);
    }

    HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(url.resolve(path))
                .timeout(PATIENCE)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    List<Long> ids(String sequence, int count) throws IOException, InterruptedException {
        HttpResponse<String> answer = send("POST", "/v1/sequences/" + sequence + "/ids?n=" + count);
        if (answer.statusCode() != 200) {
            throw new IOException(answer.statusCode() + " " + answer.body());
        }
        return ID.matcher(answer.body())
                .results()
                .map(id -> Long.valueOf(id.group(1)))
                .toList();
    }

    /** Sends SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** Sends SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    int awaitExit() throws InterruptedException {
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

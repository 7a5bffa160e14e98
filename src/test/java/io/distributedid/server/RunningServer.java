package io.distributedid.server;

import io.distributedid.internal.settings.Secrets;
import io.distributedid.testkit.TestCertificate;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;

/** A server in this process, and a client of it. */
final class RunningServer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final IdServer server;

    private final HttpClient client;

    private RunningServer(IdServer server) {
        this.server = server;
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(PATIENCE)
                .build();
    }

    private RunningServer(IdServer server, SSLContext trusted) {
        this.server = server;
        client = HttpClient.newBuilder()
                .sslContext(trusted)
                .connectTimeout(PATIENCE)
                .build();
    }

    /** Settings without their prefix; port 0, two event loops and no drain unless they say otherwise. */
    static RunningServer with(Map<String, ?> settings) {
        return new RunningServer(IdServer.start(full(settings), false, Secrets.NONE));
    }

    static RunningServer with(HttpClient.Version version, Map<String, ?> settings) {
        return version == HttpClient.Version.HTTP_2 ? ofHttp2(settings) : with(settings);
    }

    /** HTTP/2 is spoken with TLS only. */
    static RunningServer ofHttp2(Map<String, ?> settings) {
        try {
            Path folder = Files.createTempDirectory(Path.of("target"), "tls");
            TestCertificate own = TestCertificate.make("http2");
            Map<String, Object> encrypted = new LinkedHashMap<>(settings);
            encrypted.put("server.tls.certificate", folder.resolve("tls.crt"));
            encrypted.put("server.tls.key", folder.resolve("tls.key"));
            own.write(folder.resolve("tls.crt"), folder.resolve("tls.key"));
            return new RunningServer(IdServer.start(full(encrypted), false, Secrets.NONE), own.trust());
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError("The test has no certificate: " + e, e);
        }
    }

    static RunningServer with(Secrets secrets, Map<String, ?> settings) {
        return new RunningServer(IdServer.start(full(settings), false, secrets));
    }

    /** May listen at an address that others reach. */
    static RunningServer insecure(Map<String, ?> settings) {
        return new RunningServer(IdServer.start(full(settings), true, Secrets.NONE));
    }

    /** Ids counted in this JVM. */
    static RunningServer ofMemory(String... sequences) {
        return with(Map.of("backend", "memory", "server.sequences", String.join(",", sequences)));
    }

    static Map<String, Object> full(Map<String, ?> settings) {
        Map<String, Object> full = new LinkedHashMap<>();
        full.put("distributedid.server.port", 0);
        full.put("distributedid.server.threads", 2);
        full.put("distributedid.server.drain", "0s");
        settings.forEach((name, value) -> full.put("distributedid." + name, value));
        return full;
    }

    IdServer server() {
        return server;
    }

    HttpClient client() {
        return client;
    }

    URI uri(String path) {
        return URI.create(server.url() + path);
    }

    int port() {
        return uri("/").getPort();
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(uri(path)).timeout(PATIENCE);
    }

    HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(request + " failed: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted: " + request, e);
        }
    }

    HttpResponse<String> get(String path) {
        return send(request(path).GET().build());
    }

    HttpResponse<String> post(String path) {
        return post(path, "");
    }

    HttpResponse<String> post(String path, String body) {
        return send(request(path)
                .POST(body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    /** Takes ids, which must be given. */
    List<Long> ids(String sequence, int count) {
        HttpResponse<String> answer = post("/v1/sequences/" + sequence + "/ids?n=" + count);
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        JsonArray ids = new JsonObject(answer.body()).getJsonArray("ids");
        return ids.stream().map(id -> Long.valueOf((String) id)).toList();
    }

    @Override
    public void close() {
        server.close();
    }
}

package io.distributedid.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.distributedid.testkit.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Stands between a client and a server. It can lose a request or its answer, keep it for later, or answer itself. */
final class UnreliableProxy implements AutoCloseable {

    /** What happens to a request. */
    @FunctionalInterface
    interface Fault {

        /**
         * Handles one.
         *
         * @param request as in {@code POST /v1/keyed/messages/numbers?key=1}
         * @param forwarded the answer of the server, which is asked by the call
         * @return null to end the connection without an answer
         */
        Answer handle(String request, Supplier<Answer> forwarded) throws Exception;
    }

    /** An answer of the server, or one that is made up. */
    record Answer(int status, String type, String body) {}

    private static final Fault NONE = (request, forwarded) -> forwarded.get();

    private final HttpServer front;

    private final HttpClient client = HttpClient.newHttpClient();

    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final CountDownLatch closed = new CountDownLatch(1);

    private final String server;

    private volatile Fault fault = NONE;

    UnreliableProxy(RunningServer behind) {
        server = behind.server().url();
        try {
            front = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), Ports.take()), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        front.setExecutor(threads);
        front.createContext("/", this::handle);
        front.start();
    }

    String url() {
        return "http://127.0.0.1:" + front.getAddress().getPort();
    }

    /** From now on changes have this fault, and readings none. */
    void faultOfChanges(Fault next) {
        fault = (request, forwarded) -> request.startsWith("POST") ? next.handle(request, forwarded) : forwarded.get();
    }

    /** Answers nothing until this proxy is closed. */
    Answer hang() throws InterruptedException {
        closed.await();
        return null;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String request = exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body;
            Answer answer = fault.handle(request, () -> forward(exchange, body));
            if (answer != null) {
                byte[] bytes = answer.body.getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", answer.type);
                exchange.sendResponseHeaders(answer.status, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private Answer forward(HttpExchange exchange, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + exchange.getRequestURI()))
                .timeout(Duration.ofMinutes(2))
                .method(
                        exchange.getRequestMethod(),
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        try {
            HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(
                    answer.statusCode(),
                    answer.headers().firstValue("content-type").orElse(""),
                    answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Ends the connections too. */
    @Override
    public void close() {
        closed.countDown();
        front.stop(0);
        threads.shutdownNow();
    }
}

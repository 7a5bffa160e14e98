package io.distributedid.internal.service;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.service.ServiceException.Kind;
import io.distributedid.internal.settings.Secrets;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One server of an issuing service, version 1 of its protocol. Its futures fail with a {@link ServiceException}, or
 * with an exception of this library that a later request would meet again. Thread-safe.
 *
 * <p>A request whose connection broke is sent once more: the server may have ended a connection that was idle. Every
 * request takes other ids or numbers. Those of an answer that was lost are a gap. Both requests together have one
 * limit, which includes the end of the answer: the timeout of the JDK's client ends with the headers.
 *
 * <p>Answers are JSON objects, and problems of RFC 9457. The type of a problem decides whether a later request may
 * succeed, and its detail is the message.
 *
 * <p>Each request has a random id, which a server repeats in its answer: one that was kept for another request is
 * refused, since its ids or numbers were given before.
 */
public final class ServiceServer {

    /** The header with the id of a request, and of its answer. Servers of other makers need not repeat it. */
    public static final String REQUEST_ID = "Distributedid-Request";

    private static final String JSON = "application/json";

    private static final int OK = 200;

    private static final int NO_CONTENT = 204;

    private static final int LONGEST_DETAIL = 1_000;

    private final URI address;

    private final Wire http;

    private final ServiceSettings.Service service;

    private final ServiceSettings settings;

    /** The token appears in no message, even if a server repeats it. */
    private final Secrets secrets;

    private final Platform platform;

    private final ServerPause pause;

    private final OutageLog unavailable;

    private final AtomicInteger slow = new AtomicInteger();

    /** Does not connect to it. */
    ServiceServer(
            URI address, ServiceSettings settings, ServiceSettings.Service service, Wire http, Platform platform) {
        this.address = address;
        this.http = http;
        this.service = service;
        this.settings = settings;
        this.platform = platform;
        secrets = Secrets.of(service.token().stream());
        pause = new ServerPause(address.toString(), ServerPause.outages(platform::nanoTime), platform::nanoTime);
        unavailable = ServerPause.outages(platform::nanoTime);
    }

    public String label() {
        return pause.label();
    }

    /** Whether it is left out for everything, since it could not be reached. */
    public ServerPause pause() {
        return pause;
    }

    /** What is logged of sequences of which it gives no ids. */
    public OutageLog unavailable() {
        return unavailable;
    }

    /** Whether a request has waited for so long that it may hang. */
    boolean isSlow() {
        return slow.get() > 0;
    }

    /** @param requests that began or ceased to wait for long */
    void addSlow(int requests) {
        slow.addAndGet(requests);
    }

    /** Whether this is the server at an address, as another server wrote it. */
    boolean isAt(String other) {
        return ServiceAddress.parse(other).map(address::equals).orElse(false);
    }

    /**
     * Asks for something.
     *
     * @param about for messages, as in {@code seq=photos}
     * @param reader of the answer; throws {@link IllegalArgumentException}, {@link ArithmeticException} or
     *     {@link DateTimeException} if it breaks the rules
     */
    public <T> CompletableFuture<T> get(String path, String about, Function<Json, T> reader) {
        return call(request(path).GET(), about, service.timeout(), reader);
    }

    /** Has the server do something; otherwise as {@link #get}. */
    public <T> CompletableFuture<T> post(String path, String about, Function<Json, T> reader) {
        return call(request(path).POST(HttpRequest.BodyPublishers.noBody()), about, service.timeout(), reader);
    }

    /**
     * The same with a body.
     *
     * @param more the time that the server may take beside that of a request
     */
    public CompletableFuture<Json> post(String path, String about, String json, Duration more) {
        HttpRequest.Builder request =
                request(path).header("Content-Type", JSON).POST(HttpRequest.BodyPublishers.ofString(json));
        return call(request, about, service.timeout().plus(more), Function.identity());
    }

    /** Over HTTP/2 only with TLS, which agrees on it without a trip. */
    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address.resolve(path))
                .version("https".equals(address.getScheme()) ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
                .header("Accept", JSON + ", application/problem+json");
        service.token().ifPresent(value -> request.header("Authorization", "Bearer " + value));
        return request;
    }

    private <T> CompletableFuture<T> call(
            HttpRequest.Builder request, String about, Duration limit, Function<Json, T> reader) {
        long began = platform.nanoTime();
        return send(request, limit, limit)
                .exceptionallyCompose(failure -> HttpFailures.isBroken(failure)
                        ? send(request, limit, limit.minusNanos(platform.nanoTime() - began))
                        : CompletableFuture.failedFuture(failure))
                .handle((response, failure) -> {
                    if (failure != null) {
                        throw new CompletionException(failure(failure));
                    }
                    return read(response, about, reader);
                });
    }

    private CompletableFuture<HttpResponse<byte[]>> send(HttpRequest.Builder request, Duration limit, Duration left) {
        String id = platform.token();
        CompletableFuture<HttpResponse<byte[]>> sent =
                http.send(request.setHeader(REQUEST_ID, id).build());
        CompletableFuture<HttpResponse<byte[]>> answer = sent.thenApply(response -> ofRequest(id, response));
        Future<?> timeout = http.after(left, () -> {
            answer.completeExceptionally(new HttpTimeoutException("No answer within " + limit.toMillis() + " ms"));
            sent.cancel(true);
        });
        CompletableFuture<?> unused = answer.whenComplete((response, failure) -> timeout.cancel(false));
        return answer;
    }

    private static HttpResponse<byte[]> ofRequest(String id, HttpResponse<byte[]> response) {
        if (!response.headers().allValues(REQUEST_ID).stream().allMatch(id::equals)) {
            throw new CompletionException(new ProtocolException("The answer belongs to another request. Nothing between"
                    + " this process and the service may cache answers" + Pages.onCall("service-answer")));
        }
        return response;
    }

    private <T> T read(HttpResponse<byte[]> response, String about, Function<Json, T> reader) {
        try {
            return reader.apply(read(response, about + ", server=" + label()));
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
            throw new CompletionException(malformed(e));
        } catch (ServiceException e) {
            throw new CompletionException(e);
        }
    }

    /**
     * The object of a good answer; without members if it has no body.
     *
     * @param request for messages: {@code seq=photos, server=https://ids1:8443}
     * @throws IdConfigurationException if a later request would fail the same way
     * @throws IdsExhaustedException if no ids or numbers are left
     */
    private Json read(HttpResponse<byte[]> response, String request) throws ServiceException {
        if (response.statusCode() == NO_CONTENT) {
            return new Json(Map.of());
        }
        if (response.statusCode() == OK && type(response).equals(JSON)) {
            try {
                return Json.read(response.body());
            } catch (IllegalArgumentException e) {
                throw malformed(e);
            }
        }
        if (response.statusCode() > NO_CONTENT && type(response).equals("application/problem+json")) {
            throw problem(response, request);
        }
        throw foreign(response);
    }

    /** The error for an answer that breaks the rules. Its ids are a gap. */
    private ServiceException malformed(RuntimeException e) {
        return new ServiceException(
                Kind.UNAVAILABLE,
                "The answer is not that of an issuing service: " + shortened(String.valueOf(e.getMessage()))
                        + Pages.onCall("service-answer"),
                e);
    }

    private ServiceException foreign(HttpResponse<byte[]> response) {
        return new ServiceException(
                Kind.UNREACHABLE,
                "The answer is not that of an issuing service: status=" + response.statusCode() + " type="
                        + shortened(type(response)) + ". Check " + settings.servers()
                        + ", and what is between this process and the service" + Pages.onCall("service-answer"),
                null);
    }

    private static String type(HttpResponse<byte[]> response) {
        return response.headers()
                .firstValue("Content-Type")
                .map(type -> type.split(";", 2)[0].strip())
                .orElse("");
    }

    private ServiceException problem(HttpResponse<byte[]> response, String request) {
        String type;
        String detail;
        String owner;
        try {
            Json problem = Json.read(response.body());
            String uri = problem.text("type");
            type = uri.substring(uri.lastIndexOf('/') + 1);
            detail = shortened(
                    problem.find("detail").or(() -> problem.find("title")).orElse(type));
            owner = shortened(problem.find("active").orElse(""));
        } catch (IllegalArgumentException e) {
            return foreign(response);
        }
        refuse(type, detail, request);
        return switch (type) {
            case "standby", "other-server" -> new ServiceException(Kind.ELSEWHERE, detail, owner, null);
            default -> new ServiceException(Kind.UNAVAILABLE, detail, null);
        };
    }

    /** Throws if a later request would meet the problem again. */
    private void refuse(String type, String detail, String request) throws DistributedIdException {
        if (type.equals("exhausted")) {
            throw new IdsExhaustedException(Pages.withOneRow(detail + " (" + request + ")"));
        }
        String fix = fix(type);
        if (fix != null) {
            String end = detail.endsWith("?") ? " " : ". ";
            throw new IdConfigurationException(
                    Pages.withOneRow(detail + (fix.isEmpty() ? "" : end + fix) + " (" + request + ")"));
        }
    }

    /** What to do; null if a later request may not meet the problem. */
    private @Nullable String fix(String type) {
        return switch (type) {
            case "unknown-sequence" ->
                "Check the name of the sequence, and distributedid.server.sequences or distributedid.server.keyed at the"
                        + " service";
            case "unauthenticated" -> "Set " + settings.token() + " to a token of the service";
            case "forbidden" ->
                "Use a token that has this right (" + settings.token() + "), or grant it at the service";
            case "no-blocks" ->
                "Restart this application: the sequence has become strictly ordered since the application started";
            case "unknown-path", "method-not-allowed", "invalid-body", "too-large" ->
                "The service and this library may have different versions. Update its servers before its clients";
            case "invalid-parameter", "not-above", "no-numbers" -> "";
            default -> null;
        };
    }

    /** On one line, without secrets. */
    private String shortened(String text) {
        return secrets.masked(text.replaceAll("[\\p{Cntrl}\\s]+", " "), LONGEST_DETAIL);
    }

    /** A failure as callers know it: a {@link ServiceException}, or an exception of this library. */
    Exception failure(Throwable failure) {
        Throwable inner = HttpFailures.unwrapped(failure);
        if (inner instanceof ServiceException || inner instanceof DistributedIdException) {
            return (Exception) inner;
        }
        return new ServiceException(Kind.UNREACHABLE, HttpFailures.text(inner, address.getHost(), settings), inner);
    }
}

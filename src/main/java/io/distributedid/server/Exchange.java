package io.distributedid.server;

import io.distributedid.internal.process.Pending;
import io.distributedid.internal.service.ServiceServer;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request and its one answer. Belongs to the event loop of its connection; other threads call {@link #later} only.
 *
 * <p>No answer may be kept by a cache: the next caller would be given the same ids. If one is kept all the same, the
 * request's id, which is in the answer, tells the next caller.
 */
final class Exchange {

    private static final CharSequence PROBLEM = HttpHeaders.createOptimized("application/problem+json");

    private static final CharSequence REQUEST_ID = HttpHeaders.createOptimized(ServiceServer.REQUEST_ID);

    /** So many bodies of the largest size may be there at a time. */
    private static final int MOST_BODIES = 100;

    private static final Pattern ALLOWED_ID = Pattern.compile("[A-Za-z0-9-]{1,64}");

    private final HttpServerRequest request;

    private final List<String> path;

    private final Route route;

    private final Context context;

    private final Service service;

    private final long began = System.nanoTime();

    private Caller caller = Caller.withoutToken(Set.of());

    private final Buffer body = Buffer.buffer(0);

    private boolean isBodyMissing;

    private boolean isAnswered;

    /** Whether this request no longer counts among those that are being answered. */
    private boolean isOver;

    private final List<Runnable> atEnd = new ArrayList<>();

    /** Ids of the caller's quota. */
    private long reserved;

    /**
     * @param path its segments
     * @param route that it fits
     */
    Exchange(HttpServerRequest request, List<String> path, Route route, Service service) {
        this.request = request;
        this.path = path;
        this.route = route;
        this.service = service;
        context = Objects.requireNonNull(Vertx.currentContext());
        isBodyMissing = mayHaveBody();
        service.traffic().count(request.connection(), 1);
        // The connection was closed, or the stream of HTTP/2. An answer under way counts until it was written or
        // failed.
        request.response().closeHandler(closed -> {
            if (!isAnswered) {
                over();
            }
        });
    }

    private void over() {
        if (!isOver) {
            isOver = true;
            atEnd.forEach(Runnable::run);
            service.traffic().count(request.connection(), -1);
        }
    }

    private boolean isHttp2() {
        return request.version() == HttpVersion.HTTP_2;
    }

    /** HTTP/2 need not give a length. */
    private boolean mayHaveBody() {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length != null) {
            return !length.equals("0");
        }
        return isHttp2()
                ? request.method().equals(HttpMethod.POST)
                : request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
    }

    HttpServerRequest request() {
        return request;
    }

    /** Of the event loop. */
    Context context() {
        return context;
    }

    /**
     * Finds the caller and its right, reads the body after that, and runs the operation. So only TinyID's paths, where
     * the token may stand in the body, read one of an unknown caller.
     */
    void begin() {
        if (!route.rights().isEmpty()) {
            caller = service.access().of(request);
            caller.require(route.rights());
        }
        if (isBodyMissing) {
            readBody();
        } else {
            route.operation().accept(this);
        }
    }

    /**
     * The body has a limit and must arrive in time. All bodies of a route together have a limit too, until their
     * requests are answered: callers of one route take no room from those of another.
     */
    private void readBody() {
        long limit = Math.min(route.largestBody(), service.settings().get(ServerSettings.MAX_BODY));
        long millis = service.settings().get(ServerSettings.REQUEST_TIMEOUT).toMillis();
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length != null && isOver(length, limit)) {
            throw tooLarge("content-length=" + length, limit);
        }
        if (request.headers().contains(HttpHeaders.EXPECT, HttpHeaders.CONTINUE, true)) {
            request.response().writeContinue();
        }
        limit(millis, () -> {
            if (isBodyMissing) {
                fail(overLimit(
                        ProblemType.TIMEOUT, "received=" + body.length() + " bytes in " + millis + " ms", limit));
            }
        });
        atEnd(() -> route.bodies().addAndGet(-body.length()));
        request.handler(part -> {
            if (!isAnswered) {
                attempt(() -> add(part, limit));
            }
        });
        request.endHandler(end -> {
            if (!isAnswered) {
                isBodyMissing = false;
                attempt(() -> route.operation().accept(this));
            }
        });
    }

    /** A length that is no number is refused by the decoder before. */
    private static boolean isOver(String length, long limit) {
        try {
            return Long.parseLong(length) > limit;
        } catch (NumberFormatException e) {
            return true;
        }
    }

    private void add(Buffer part, long limit) {
        int length = body.length() + part.length();
        if (length > limit) {
            throw tooLarge("length=" + length + " or more", limit);
        }
        body.appendBuffer(part);
        long received = route.bodies().addAndGet(part.length());
        if (received > MOST_BODIES * limit) {
            throw new Problem(
                    ProblemType.UNAVAILABLE,
                    "The bodies of all requests to this path together are too large now: received=" + received
                            + " bytes, allowed: " + MOST_BODIES * limit + ". Retry later, or use another server");
        }
    }

    private static Problem tooLarge(String found, long limit) {
        return limit > 0
                ? overLimit(ProblemType.TOO_LARGE, found, limit)
                : new Problem(
                        ProblemType.INVALID_BODY,
                        "This path takes no body: " + found + ". Send parameters in the query string");
    }

    private static Problem overLimit(ProblemType type, String found, long limit) {
        return new Problem(
                type,
                type.title() + ": " + found + ", allowed: up to " + limit + " bytes (" + ServerSettings.MAX_BODY
                        + "), within " + ServerSettings.REQUEST_TIMEOUT);
    }

    void calledBy(Caller found) {
        caller = found;
    }

    Caller caller() {
        return caller;
    }

    /** Runs an action when the request was answered, or its caller has gone. */
    private void atEnd(Runnable action) {
        atEnd.add(action);
    }

    /** Runs an action after a time, unless the request was answered, or its caller has gone. */
    private void limit(long millis, Runnable action) {
        long timer = context.owner().setTimer(Math.max(1, millis), id -> action.run());
        atEnd(() -> context.owner().cancelTimer(timer));
    }

    Buffer body() {
        return body;
    }

    /**
     * The value of a parameter in the path.
     *
     * @throws Problem if it is not well-formed
     */
    String value(String name) {
        return Query.decoded(path.get(route.segments().indexOf("{" + name + "}")), "A part of the path");
    }

    /** The parameters behind the question mark. */
    Query query(String... allowed) {
        return Query.of(written(), List.of(allowed), true);
    }

    /** Parameters behind the question mark or in a form, without those that the operation does not know. */
    Query knownParameters(List<String> known) {
        String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
        boolean isForm = type != null && type.startsWith(HttpHeaders.APPLICATION_X_WWW_FORM_URLENCODED.toString());
        return Query.of(isForm ? written() + "&" + body : written(), known, false);
    }

    private String written() {
        return Objects.requireNonNullElse(request.query(), "");
    }

    /** Whether the caller has gone without waiting for the answer. Any thread may ask. */
    boolean isGone() {
        return request.response().closed();
    }

    /**
     * Reserves ids of the caller's quota before they are taken. An error gives them back.
     *
     * @throws Problem if the quota is used up, or a page of another site asks, see {@link BrowserRequest}
     */
    void reserve(long ids) {
        BrowserRequest.requireOwnPage(request);
        caller.quota().ifPresent(quota -> quota.reserve(ids));
        reserved = ids;
    }

    /** Charges the ids that were given. */
    void charge(long given) {
        caller.quota().ifPresent(quota -> quota.settle(reserved, given));
        reserved = 0;
    }

    /** Runs an action, and answers what goes wrong. */
    void attempt(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    /** Runs an action on the event loop of this request. Any thread may call it. */
    void later(Runnable action) {
        context.runOnContext(now -> attempt(action));
    }

    /**
     * Lets this request wait without a thread, until its time is over or the caller has gone. So however many wait for
     * one database, those for another one go on.
     *
     * @param then given the answer or the failure on the event loop; at once if it is there
     * @throws Problem if too many requests wait already
     */
    <T> void await(Pending<T> pending, Duration time, BiConsumer<@Nullable T, @Nullable Throwable> then) {
        CompletableFuture<T> answer = pending.answer();
        if (answer.isDone()) {
            CompletableFuture<T> unused =
                    answer.whenComplete((value, failure) -> attempt(() -> then.accept(value, failure)));
            return;
        }
        try {
            service.traffic().waiting().up();
        } catch (Problem e) {
            pending.end().run();
            throw e;
        }
        limit(time.toMillis(), pending.end());
        atEnd(() -> {
            if (!answer.isDone()) {
                pending.end().run();
            }
        });
        CompletableFuture<T> unused = answer.whenComplete((value, failure) -> {
            service.traffic().waiting().down();
            later(() -> then.accept(value, failure));
        });
    }

    void json(JsonObject answer) {
        json(answer.toBuffer());
    }

    void json(Buffer answer) {
        send(200, HttpHeaderValues.APPLICATION_JSON, answer);
    }

    void text(CharSequence type, String answer) {
        send(200, type, Buffer.buffer(answer));
    }

    void send(int status, @Nullable CharSequence type, @Nullable Buffer answer) {
        if (isAnswered) {
            throw new IllegalStateException("A request was answered twice: " + request.method() + " " + request.path());
        }
        isAnswered = true;
        boolean last = !isHttp2() && (service.traffic().isLeaving() || isBodyMissing);
        write(status, type, answer, last).onComplete(written -> {
            service.traffic().answered(route.path(), status, System.nanoTime() - began);
            over();
            if (last) {
                request.connection().close();
            }
        });
    }

    /** A client that is gone may make any of these calls fail. */
    private Future<Void> write(int status, @Nullable CharSequence type, @Nullable Buffer answer, boolean last) {
        HttpServerResponse response = request.response();
        try {
            response.setStatusCode(status).putHeader(HttpHeaders.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
            if (type != null) {
                response.putHeader(HttpHeaders.CONTENT_TYPE, type);
            }
            String id = request.getHeader(REQUEST_ID);
            if (id != null && ALLOWED_ID.matcher(id).matches()) {
                response.putHeader(REQUEST_ID, id);
            }
            if (last) {
                response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            }
            return answer == null ? response.end() : response.end(answer);
        } catch (IllegalStateException e) {
            return Future.failedFuture(e);
        }
    }

    /** Answers with a problem, in its own form. */
    void refuse(Problem problem) {
        HttpServerResponse response = request.response();
        ProblemType type = problem.type();
        if (type.passes()) {
            response.putHeader(HttpHeaders.RETRY_AFTER, Long.toString(problem.retrySeconds()));
        }
        if (type == ProblemType.UNAUTHENTICATED) {
            response.putHeader(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
        }
        for (String field : List.of(Problem.ALLOW, Problem.LOCATION)) {
            if (problem.members().get(field) instanceof String value) {
                response.putHeader(field, value);
            }
        }
        send(type.status(), PROBLEM, problem.body());
    }

    /** Answers with what an exception means. */
    void fail(Throwable failure) {
        Problem problem = service.text().problem(failure);
        if (reserved > 0) {
            charge(0);
        }
        if (!isAnswered) {
            route.problems().accept(this, problem);
        }
    }
}

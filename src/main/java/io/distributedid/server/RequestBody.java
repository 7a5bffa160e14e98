package io.distributedid.server;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads the body of a request, which has a limit and must arrive in time. All bodies of a kind together have a limit
 * too, until their requests are answered: callers of one kind of route take no room from those of another.
 */
final class RequestBody {

    /** So many of the largest size may be there at a time. */
    private static final int MOST = 100;

    private final Exchange exchange;

    private final Runnable then;

    private final long limit;

    /** The bytes of all bodies of this kind. */
    private final AtomicLong all;

    private final Buffer read = Buffer.buffer();

    private RequestBody(Exchange exchange, long limit, AtomicLong all, Runnable then) {
        this.exchange = exchange;
        this.limit = limit;
        this.all = all;
        this.then = then;
    }

    /**
     * Calls {@code then} when the body is complete. Otherwise answers the request.
     *
     * @param limit 0 if there may be no body
     */
    static void read(Exchange exchange, Vertx vertx, long limit, long timeoutMillis, AtomicLong all, Runnable then) {
        RequestBody body = new RequestBody(exchange, limit, all, then);
        HttpServerRequest request = exchange.request();
        String length = request.getHeader("content-length");
        if (length != null && isOver(length, limit)) {
            body.refuseLarge("content-length=" + length);
            return;
        }
        if (request.headers().contains(HttpHeaders.EXPECT, HttpHeaders.CONTINUE, true)) {
            request.response().writeContinue();
        }
        exchange.atEnd(() -> all.addAndGet(-body.read.length()));
        long timer = vertx.setTimer(
                timeoutMillis,
                id -> body.refuseLimit(
                        ProblemType.TIMEOUT, "received=" + body.read.length() + " bytes in " + timeoutMillis + " ms"));
        request.handler(body::add);
        request.exceptionHandler(failure -> {
            vertx.cancelTimer(timer);
            // The client is gone; the answer only ends the count of this request.
            body.refuse(ProblemType.INVALID_REQUEST, "The connection was closed within the body");
        });
        request.endHandler(end -> {
            vertx.cancelTimer(timer);
            body.end();
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

    private void add(Buffer part) {
        if (exchange.isAnswered()) {
            return;
        }
        if (read.length() + part.length() > limit) {
            refuseLarge("length=" + (read.length() + part.length()) + " or more");
            return;
        }
        read.appendBuffer(part);
        long received = all.addAndGet(part.length());
        if (received > MOST * limit) {
            refuse(
                    ProblemType.UNAVAILABLE,
                    "The bodies of all such requests together are too large now: received=" + received
                            + " bytes, allowed: " + MOST * limit + ". Ask again later, or another server");
        }
    }

    private void end() {
        if (!exchange.isAnswered()) {
            exchange.bodyRead(read);
            then.run();
        }
    }

    private void refuseLarge(String found) {
        if (limit > 0) {
            refuseLimit(ProblemType.TOO_LARGE, found);
        } else {
            refuse(
                    ProblemType.INVALID_BODY,
                    "This path takes no body: " + found + ". Send parameters behind the question mark");
        }
    }

    private void refuseLimit(ProblemType type, String found) {
        refuse(
                type,
                type.title() + ": " + found + ", allowed: up to " + limit + " bytes (" + ServerSettings.MAX_BODY
                        + "), in time (" + ServerSettings.REQUEST_TIMEOUT + ")");
    }

    private void refuse(ProblemType type, String detail) {
        if (!exchange.isAnswered()) {
            exchange.fail(new Problem(type, detail).refusal());
        }
    }
}

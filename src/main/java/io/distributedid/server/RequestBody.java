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

    private final long limit;

    /** The bytes of all bodies of this kind. */
    private final AtomicLong all;

    private final Buffer read = Buffer.buffer();

    /** @param limit 0 if there may be no body */
    RequestBody(Exchange exchange, long limit, AtomicLong all) {
        this.exchange = exchange;
        this.limit = limit;
        this.all = all;
    }

    /**
     * Calls {@code then} when the body is complete. Otherwise answers the request.
     *
     * @throws Problem if the body is announced as too large
     */
    void read(Vertx vertx, long timeoutMillis, Runnable then) {
        HttpServerRequest request = exchange.request();
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length != null && isOver(length, limit)) {
            throw tooLarge("content-length=" + length);
        }
        if (request.headers().contains(HttpHeaders.EXPECT, HttpHeaders.CONTINUE, true)) {
            request.response().writeContinue();
        }
        exchange.atEnd(() -> all.addAndGet(-read.length()));
        long timer = vertx.setTimer(
                timeoutMillis,
                id -> exchange.fail(overLimit(
                        ProblemType.TIMEOUT, "received=" + read.length() + " bytes in " + timeoutMillis + " ms")));
        request.handler(this::add);
        request.exceptionHandler(failure -> {
            vertx.cancelTimer(timer);
            // The client is gone; the answer only ends the count of this request.
            exchange.fail(new Problem(ProblemType.INVALID_REQUEST, "The connection was closed within the body"));
        });
        request.endHandler(end -> {
            vertx.cancelTimer(timer);
            if (!exchange.isAnswered()) {
                exchange.bodyRead(read);
                then.run();
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

    private void add(Buffer part) {
        if (exchange.isAnswered()) {
            return;
        }
        int length = read.length() + part.length();
        if (length > limit) {
            exchange.fail(tooLarge("length=" + length + " or more"));
            return;
        }
        read.appendBuffer(part);
        long received = all.addAndGet(part.length());
        if (received > MOST * limit) {
            exchange.fail(new Problem(
                    ProblemType.UNAVAILABLE,
                    "The bodies of all such requests together are too large now: received=" + received
                            + " bytes, allowed: " + MOST * limit + ". Ask again later, or another server"));
        }
    }

    private Problem tooLarge(String found) {
        return limit > 0
                ? overLimit(ProblemType.TOO_LARGE, found)
                : new Problem(
                        ProblemType.INVALID_BODY,
                        "This path takes no body: " + found + ". Send parameters behind the question mark");
    }

    private Problem overLimit(ProblemType type, String found) {
        return new Problem(
                type,
                type.title() + ": " + found + ", allowed: up to " + limit + " bytes (" + ServerSettings.MAX_BODY
                        + "), in time (" + ServerSettings.REQUEST_TIMEOUT + ")");
    }
}

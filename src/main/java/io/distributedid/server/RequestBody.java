package io.distributedid.server;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/** Reads the body of a request, which has a limit and must arrive in time. */
final class RequestBody {

    private final Exchange exchange;

    private final Runnable then;

    private final long limit;

    private final Buffer read = Buffer.buffer();

    private RequestBody(Exchange exchange, long limit, Runnable then) {
        this.exchange = exchange;
        this.limit = limit;
        this.then = then;
    }

    /** Calls {@code then} when the body is complete. Otherwise answers the request. */
    static void read(Exchange exchange, Vertx vertx, long limit, long timeoutMillis, Runnable then) {
        RequestBody body = new RequestBody(exchange, limit, then);
        HttpServerRequest request = exchange.request();
        String length = request.getHeader("content-length");
        if (length != null && isOver(length, limit)) {
            body.refuse(ProblemType.TOO_LARGE, "content-length=" + length);
            return;
        }
        long timer = vertx.setTimer(
                timeoutMillis,
                id -> body.refuse(
                        ProblemType.TIMEOUT, "received=" + body.read.length() + " bytes in " + timeoutMillis + " ms"));
        request.handler(body::add);
        request.exceptionHandler(failure -> {
            vertx.cancelTimer(timer);
            body.abandon();
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
            refuse(ProblemType.TOO_LARGE, "length=" + (read.length() + part.length()) + " or more");
        } else {
            read.appendBuffer(part);
        }
    }

    private void end() {
        if (!exchange.isAnswered()) {
            exchange.bodyRead(read);
            then.run();
        }
    }

    /** The client is gone; the answer only ends the count of this request. */
    private void abandon() {
        if (!exchange.isAnswered()) {
            exchange.refuse(new Problem(ProblemType.INVALID_REQUEST, "The connection was closed within the body"));
        }
    }

    private void refuse(ProblemType type, String found) {
        if (!exchange.isAnswered()) {
            exchange.refuse(new Problem(
                    type,
                    type.title() + ": " + found + ", allowed: up to " + limit + " bytes (" + ServerSettings.MAX_BODY
                            + "), in time (" + ServerSettings.REQUEST_TIMEOUT + ")"));
        }
    }
}

package io.distributedid.internal.http;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The body of a request that must not be done twice. It is sent once at most: the JDK's client may otherwise repeat a
 * request whose connection broke ({@code jdk.httpclient.enableAllMethodRetry}), although the server may have done the
 * first. A server does nothing before it has the whole body. Thread-safe.
 */
public final class OneTimeBody implements HttpRequest.BodyPublisher {

    private enum State {
        UNSENT,
        SENT,
        WITHDRAWN
    }

    private static final Flow.Subscription NOTHING = new Flow.Subscription() {

        @Override
        public void request(long count) {}

        @Override
        public void cancel() {}
    };

    private final HttpRequest.BodyPublisher body;

    private final AtomicReference<State> state = new AtomicReference<>(State.UNSENT);

    /** @param text not empty */
    public OneTimeBody(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("A request without a body may be done before it is known to be sent");
        }
        body = HttpRequest.BodyPublishers.ofString(text);
    }

    /** Returns whether no part of it was sent. Then none will be. */
    public boolean withdraw() {
        return state.compareAndSet(State.UNSENT, State.WITHDRAWN) || state.get() == State.WITHDRAWN;
    }

    @Override
    public long contentLength() {
        return body.contentLength();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        if (state.compareAndSet(State.UNSENT, State.SENT)) {
            body.subscribe(subscriber);
        } else {
            subscriber.onSubscribe(NOTHING);
            subscriber.onError(new IOException("The connection broke, and the request must not be sent twice"));
        }
    }
}

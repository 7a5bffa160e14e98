package io.distributedid.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;

class OneTimeBodyTest {

    /** Hands what is sent to a reader of texts. */
    private static final class Sent implements Flow.Subscriber<ByteBuffer> {

        private final HttpResponse.BodySubscriber<String> text =
                HttpResponse.BodySubscribers.ofString(StandardCharsets.UTF_8);

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            text.onSubscribe(subscription);
        }

        @Override
        public void onNext(ByteBuffer part) {
            text.onNext(List.of(part));
        }

        @Override
        public void onError(Throwable failure) {
            text.onError(failure);
        }

        @Override
        public void onComplete() {
            text.onComplete();
        }

        String read() {
            return text.getBody().toCompletableFuture().join();
        }
    }

    private static Sent send(OneTimeBody body) {
        Sent sent = new Sent();
        body.subscribe(sent);
        return sent;
    }

    @Test
    void itIsSentOnce() {
        OneTimeBody body = new OneTimeBody("{\"ä\":1}");

        assertThat(body.contentLength()).isEqualTo(8);
        assertThat(send(body).read()).isEqualTo("{\"ä\":1}");
        assertThatThrownBy(send(body)::read)
                .isInstanceOf(CompletionException.class)
                .hasMessageEndingWith("The connection broke, and the request must not be sent twice");
        assertThat(body.withdraw()).isFalse();
    }

    @Test
    void whatWasWithdrawnIsNotSent() {
        OneTimeBody body = new OneTimeBody("{}");

        assertThat(body.withdraw()).isTrue();
        assertThat(body.withdraw()).isTrue();
        assertThatThrownBy(send(body)::read).isInstanceOf(CompletionException.class);
    }

    @Test
    void anEmptyOneIsRefused() {
        assertThatThrownBy(() -> new OneTimeBody("")).isInstanceOf(IllegalArgumentException.class);
    }
}

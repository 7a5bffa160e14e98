package io.distributedid.internal.http;

import java.io.ByteArrayOutputStream;
import java.net.ProtocolException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Collects the body of an answer, and ends the connection if it is too long for one of an issuing service. */
final class LimitedBody implements HttpResponse.BodySubscriber<byte[]> {

    private final int most;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private final CompletableFuture<byte[]> body = new CompletableFuture<>();

    private Flow.@Nullable Subscription subscription;

    /** @param most bytes */
    LimitedBody(int most) {
        this.most = most;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription begun) {
        subscription = begun;
        begun.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer each : buffers) {
            if (each.remaining() > most - bytes.size()) {
                tooLong();
                return;
            }
            byte[] part = new byte[each.remaining()];
            each.get(part);
            bytes.write(part, 0, part.length);
        }
    }

    private void tooLong() {
        Flow.Subscription begun = subscription;
        if (begun != null) {
            begun.cancel();
        }
        body.completeExceptionally(new ProtocolException("The answer is longer than " + most + " bytes"));
    }

    @Override
    public void onError(Throwable failure) {
        body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        body.complete(bytes.toByteArray());
    }
}

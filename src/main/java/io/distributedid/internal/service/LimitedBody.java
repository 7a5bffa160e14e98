package io.distributedid.internal.service;

import java.net.ProtocolException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Collects the body of an answer, and ends the connection if it is too long for one of an issuing service. */
final class LimitedBody implements HttpResponse.BodySubscriber<byte[]> {

    private final HttpResponse.BodySubscriber<byte[]> bytes = HttpResponse.BodySubscribers.ofByteArray();

    /** In bytes. */
    private final long most;

    private long length;

    private Flow.@Nullable Subscription subscription;

    LimitedBody(long most) {
        this.most = most;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return bytes.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription begun) {
        subscription = begun;
        bytes.onSubscribe(begun);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        length += buffers.stream().mapToLong(ByteBuffer::remaining).sum();
        if (length > most) {
            Objects.requireNonNull(subscription).cancel();
            bytes.onError(new ProtocolException("The answer is longer than " + most + " bytes"));
        } else {
            bytes.onNext(buffers);
        }
    }

    @Override
    public void onError(Throwable failure) {
        bytes.onError(failure);
    }

    @Override
    public void onComplete() {
        bytes.onComplete();
    }
}

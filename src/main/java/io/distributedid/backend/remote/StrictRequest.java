package io.distributedid.backend.remote;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.http.HttpFailures;
import io.distributedid.internal.http.JsonObject;
import io.distributedid.spi.Sequence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * One request for ids of a strictly ordered sequence. It goes to the server that was active last. If another one is
 * active now, a standby says which, and that is asked at once.
 *
 * <p>The ids of an answer must be larger than those of every answer that had arrived when the request was sent. A
 * server that breaks this is left out: two may be active, or its store went back. A server is asked for ids only after
 * it has compared its token and the existing ids. Called by one thread at a time.
 */
final class StrictRequest implements CombinedIds.Request {

    private final RemoteServers servers;

    private final RemoteSequence remote;

    private final Sequence sequence;

    private final Duration timeout;

    /** @param timeout how long a server may wait for its clock to pass existing ids */
    StrictRequest(RemoteServers servers, RemoteSequence remote, Sequence sequence, Duration timeout) {
        this.servers = servers;
        this.remote = remote;
        this.sequence = sequence;
        this.timeout = timeout;
    }

    @Override
    public List<Long> ask(int count) throws InterruptedException {
        long before = remote.memory().lastStrict().get();
        RemoteServers.Ended<List<Long>> ended =
                servers.ask(remote, server -> ask(server, count, before), server -> ask(server, 1, before));
        remote.setActive(ended.server());
        List<Long> ids = ended.good();
        remote.memory().lastStrict().accumulateAndGet(ids.get(ids.size() - 1), Math::max);
        return ids;
    }

    private CompletableFuture<List<Long>> ask(RemoteServer server, int count, long before) {
        return verified(server)
                .thenCompose(done -> remote.compared(server, false, timeout))
                .thenCompose(done -> takeFromCompared(server, count, before));
    }

    /** Takes fewer if the server has a lower limit since it was started again. Any other refusal is final. */
    private CompletableFuture<List<Long>> takeFromCompared(RemoteServer server, int count, long before) {
        return take(server, count, before)
                .exceptionallyCompose(failure -> HttpFailures.unwrapped(failure) instanceof ParameterRefusedException
                        ? takeFewer(server, count, before, failure)
                        : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<List<Long>> take(RemoteServer server, int count, long before) {
        return server.post(sequence.name(), "/ids?n=" + count).thenApply(answer -> read(server, answer, count, before));
    }

    private CompletableFuture<List<Long>> takeFewer(RemoteServer server, int count, long before, Throwable refusal) {
        return server.get(sequence.name(), "").thenCompose(answer -> {
            long most = described(server, answer).maxIds();
            return most < count ? take(server, (int) most, before) : CompletableFuture.failedFuture(refusal);
        });
    }

    /** An answer with ids does not say the kind. So a server is asked for it first, and again after it was away. */
    private CompletableFuture<?> verified(RemoteServer server) {
        return remote.isVerified(server, Description.Kind.STRICT)
                ? CompletableFuture.completedFuture(null)
                : server.get(sequence.name(), "").thenApply(answer -> described(server, answer));
    }

    /** Ids of any other kind do not ascend over all callers. */
    private Description described(RemoteServer server, JsonObject answer) {
        Description description = Questions.described(server, remote, answer);
        if (description.kind() != Description.Kind.STRICT) {
            throw new IdConfigurationException("A server of an issuing service has no strict order any more: seq="
                    + sequence.name() + ", " + server.label() + " says kind="
                    + description.kind().text() + ", allowed: kind=strict, as it was when this application started."
                    + " Give the servers the same settings, or remove one from " + RemoteSettings.SERVERS);
        }
        return description;
    }

    private List<Long> read(RemoteServer server, JsonObject answer, int count, long before) {
        List<Long> ids;
        Optional<String> token;
        try {
            Description.requireSequence(answer, sequence.name());
            ids = answer.ids("ids");
            token = answer.find("token");
            if (ids.size() != count) {
                throw new IllegalArgumentException("the number of ids must be " + count + ": " + ids.size());
            }
            for (int i = 0; i < count; i++) {
                if (ids.get(i) < 1 || (i > 0 && ids.get(i) <= ids.get(i - 1))) {
                    throw new IllegalArgumentException("the ids must be positive and ascend: " + ids.get(i));
                }
            }
        } catch (IllegalArgumentException e) {
            throw new CompletionException(server.malformed(e));
        }
        remote.requireToken(server, token);
        if (ids.get(0) <= before) {
            throw new IdConfigurationException("The ids of a strictly ordered sequence must ascend: seq="
                    + sequence.name() + ", " + server.label() + " gave " + ids.get(0) + " after " + before
                    + ". Check that one server is active, and that its store did not go back");
        }
        long largest = ids.get(count - 1);
        if (largest > sequence.maxValue()) {
            throw new IdsExhaustedException("The next id does not fit its type: " + sequence + " id=" + largest
                    + ", allowed: up to " + sequence.maxValue() + ". Map the property to a wider type");
        }
        remote.given(server, largest);
        return ids;
    }
}

package io.distributedid.backend.remote;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.block.WaitStatistics;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.process.Combiner;
import io.distributedid.internal.service.HttpFailures;
import io.distributedid.internal.service.JsonObject;
import io.distributedid.internal.service.PatientCalls;
import io.distributedid.internal.service.PatientCalls.Wait;
import io.distributedid.internal.service.ServiceException;
import io.distributedid.internal.service.ServicePool.Ended;
import io.distributedid.internal.service.ServiceServer;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Hands out ids in strict order: each id comes from a request that was sent after its call began, so nothing is
 * reserved ahead. One request is under way at a time, for all calls that had come. It goes to the server that was
 * active last. If another one is active now, a standby says which, and that is asked at once.
 *
 * <p>The ids of an answer must be larger than those of every answer that had arrived when the request was sent. A
 * server that breaks this is left out: two may be active, or its store went back.
 *
 * <p>Calls wait until {@code block.timeout} has passed since an outage began. In an outage, requests go on without
 * calls until one succeeds, so that later calls find the service as it is. Ids without a call are a gap. Thread-safe.
 */
final class StrictIds implements IdSource, AutoCloseable {

    /** Short, since a standby may become active at any time. */
    private static final Duration PROBE_PAUSE = Duration.ofMillis(250);

    private final Sequence sequence;

    private final RemoteSequence remote;

    /** How long a call waits, and a server for its clock to pass existing ids. */
    private final Duration timeout;

    private final OutageLog log;

    private final WaitStatistics waits;

    private final LongSupplier nanoTime;

    private final PatientCalls<RemoteSequence, List<Long>> calls;

    private final LongAdder issued = new LongAdder();

    private final AtomicBoolean isProbing = new AtomicBoolean();

    private volatile int most;

    /** @param most how many ids a request may ask for */
    StrictIds(
            Sequence sequence,
            RemoteSequence remote,
            int most,
            Duration timeout,
            OutageLog log,
            WaitStatistics waits,
            LongSupplier nanoTime) {
        this.sequence = sequence;
        this.remote = remote;
        this.most = most;
        this.timeout = timeout;
        this.log = log;
        this.waits = waits;
        this.nanoTime = nanoTime;
        Combiner<RemoteSequence, List<Long>> combiner =
                new Combiner<>((which, count) -> send(count), () -> this.most, List::size, HttpFailures::isExhausted);
        calls = new PatientCalls<>(remote.pool(), combiner, "an id", nanoTime);
    }

    @Override
    public long next() {
        WaitStatistics.Wait counted = waits.ofCall();
        counted.begin();
        Wait wait = new Wait(nanoTime.getAsLong(), timeout, false);
        try {
            requireInTime(wait);
            Combiner.Share<List<Long>> share = calls.call(remote, 1, wait);
            issued.increment();
            return share.answer().get(share.offset());
        } finally {
            counted.end();
        }
    }

    /** In an old outage a call does not ask. So that its end is noticed, requests go on without calls. */
    private void requireInTime(Wait wait) {
        try {
            calls.requireInTime(remote, wait);
        } catch (IdUnavailableException e) {
            probeLater();
            throw e;
        }
    }

    /** Asks for ids. The answer has fewer if a server gives no more at a time. */
    CompletableFuture<List<Long>> send(int count) {
        long before = remote.memory().lastStrict().get();
        return remote.pool()
                .ask(remote, server -> ask(server, count, before), server -> ask(server, 1, before))
                .handle((ended, failure) -> {
                    if (failure != null) {
                        failed(HttpFailures.unwrapped(failure));
                        throw new CompletionException(HttpFailures.unwrapped(failure));
                    }
                    return given(ended);
                });
    }

    private List<Long> given(Ended<List<Long>> ended) {
        List<Long> ids = ended.good();
        remote.setActive(ended.server());
        remote.memory().lastStrict().accumulateAndGet(ids.get(ids.size() - 1), Math::max);
        log.succeeded(this, () -> "Ids are issued again, last by " + sequence);
        return ids;
    }

    private void failed(Throwable failure) {
        if (failure instanceof IdUnavailableException && !calls.isClosed()) {
            log.failed(this, "No ids can be issued, and it is tried again, noticed first by " + sequence, failure);
            probeLater();
        }
    }

    private void probeLater() {
        if (isProbing.compareAndSet(false, true)) {
            remote.pool().after(PROBE_PAUSE, () -> {
                CompletableFuture<?> unused = calls.probe(remote).whenComplete((share, failure) -> {
                    isProbing.set(false);
                    if (failure != null && HttpFailures.unwrapped(failure) instanceof IdUnavailableException) {
                        probeLater();
                    }
                });
            });
        }
    }

    private CompletableFuture<List<Long>> ask(ServiceServer server, int count, long before) {
        return remote.ready(server, Description.Kind.STRICT, timeout)
                .thenCompose(done -> take(server, count, before)
                        .exceptionallyCompose(failure ->
                                ServiceException.isOf(ServiceException.Kind.PARAMETER, HttpFailures.unwrapped(failure))
                                        ? takeFewer(server, count, before, failure)
                                        : CompletableFuture.failedFuture(failure)));
    }

    private CompletableFuture<List<Long>> take(ServiceServer server, int count, long before) {
        return server.post(
                remote.path("/ids?n=" + count), remote.about(), answer -> read(server, answer, count, before));
    }

    /** The server may have a lower limit since it was started again. */
    private CompletableFuture<List<Long>> takeFewer(ServiceServer server, int count, long before, Throwable refusal) {
        return remote.describe(server).thenCompose(description -> {
            remote.requireKind(server, description, Description.Kind.STRICT);
            int limit = Math.toIntExact(description.maxIds());
            if (limit >= count) {
                return CompletableFuture.failedFuture(refusal);
            }
            most = limit;
            return take(server, limit, before);
        });
    }

    private List<Long> read(ServiceServer server, JsonObject answer, int count, long before) {
        Description.requireSequence(answer, remote.name());
        List<Long> ids = answer.ids("ids");
        if (ids.size() != count) {
            throw new IllegalArgumentException("the number of ids must be " + count + ": " + ids.size());
        }
        for (int i = 0; i < count; i++) {
            if (ids.get(i) < 1 || (i > 0 && ids.get(i) <= ids.get(i - 1))) {
                throw new IllegalArgumentException("the ids must be positive and ascend: " + ids.get(i));
            }
        }
        remote.requireToken(server, answer.find("token"));
        if (ids.get(0) <= before) {
            throw new IdConfigurationException("The ids of a strictly ordered sequence must ascend: "
                    + remote.about() + ", " + server.label() + " gave " + ids.get(0) + " after " + before
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

    /** Without servers and capacity. */
    SequenceStatistics statistics() {
        return new SequenceStatistics(
                issued.sum(),
                waits.count(),
                waits.time(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                calls.failure(remote),
                Optional.empty());
    }

    /** Ends the calls that wait. */
    @Override
    public void close() {
        calls.close();
    }
}

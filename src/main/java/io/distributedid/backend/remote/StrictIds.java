package io.distributedid.backend.remote;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.block.WaitStatistics;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.process.Combiner;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.service.HttpFailures;
import io.distributedid.internal.service.Json;
import io.distributedid.internal.service.PatientCalls;
import io.distributedid.internal.service.ServicePool.Ended;
import io.distributedid.internal.service.ServiceServer;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Hands out ids in strict order: each id comes from a request that was sent after its call began, so nothing is
 * reserved ahead. One request is under way at a time, for all calls that had come. It goes to the server that was
 * active last. If another one is active now, a standby says which, and that is asked at once.
 *
 * <p>The ids of an answer must be larger than those of every answer that had arrived when the request was sent. A
 * server that breaks this is left out: two may be active, or its store went back.
 *
 * <p>Calls wait until {@code block.timeout} has passed since an outage began. In an outage, a request goes on without
 * calls until it succeeds, so that later calls and health find the service as it is. Ids without a call are a gap.
 * Thread-safe.
 */
final class StrictIds implements IdSource, AutoCloseable {

    private final Sequence sequence;

    private final RemoteSequence remote;

    private final OutageLog log;

    private final WaitStatistics waits;

    private final Platform platform;

    private final PatientCalls<RemoteSequence, List<Long>> calls;

    private final LongAdder issued = new LongAdder();

    StrictIds(Sequence sequence, RemoteSequence remote, OutageLog log, WaitStatistics waits, Platform platform) {
        this.sequence = sequence;
        this.remote = remote;
        this.log = log;
        this.waits = waits;
        this.platform = platform;
        calls = new PatientCalls<>(
                remote.pool(),
                (which, count) -> send(count),
                () -> Math.toIntExact(remote.description().maxIds()),
                List::size,
                "an id",
                Pages.onCall("no-server"));
    }

    @Override
    public long next() {
        WaitStatistics.Wait counted = waits.ofCall();
        counted.begin();
        long began = platform.nanoTime();
        try {
            calls.requireInTime(remote);
            Combiner.Share<List<Long>> share = calls.call(remote, 1, began);
            issued.increment();
            return share.answer().get(share.offset());
        } finally {
            counted.end();
        }
    }

    /** Asks for ids. The answer has fewer if a server gives no more at a time. */
    CompletableFuture<List<Long>> send(int count) {
        long before = remote.memory().lastStrict();
        return remote.pool().ask(remote, server -> ask(server, count, before)).handle((ended, failure) -> {
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
        remote.memory().addStrict(ids.get(ids.size() - 1));
        log.succeeded(this, () -> "Ids are issued again, last noticed by " + sequence);
        return ids;
    }

    private void failed(Throwable failure) {
        if (failure instanceof IdUnavailableException && !calls.isClosed()) {
            log.failed(
                    this,
                    "No ids can be issued, retrying. First noticed by " + sequence,
                    failure,
                    Pages.onCall("no-server"));
        }
    }

    /**
     * If the server has a lower limit since it was started again, it refuses, and says the limit before the next
     * request.
     */
    private CompletableFuture<List<Long>> ask(ServiceServer server, int wanted, long before) {
        return remote.ready(server).thenCompose(said -> {
            long count = Math.min(wanted, said.maxIds());
            return remote.take(server, "/ids?n=" + count, answer -> read(answer, count))
                    .thenApply(ids -> checked(server, ids, before));
        });
    }

    private static List<Long> read(Json answer, long count) {
        List<Long> ids = answer.ids("ids");
        if (ids.size() != count) {
            throw new IllegalArgumentException("the number of ids must be " + count + ": " + ids.size());
        }
        for (int i = 0; i < count; i++) {
            if (ids.get(i) < 1 || (i > 0 && ids.get(i) <= ids.get(i - 1))) {
                throw new IllegalArgumentException("the ids must be positive and ascend: " + ids.get(i));
            }
        }
        return ids;
    }

    private List<Long> checked(ServiceServer server, List<Long> ids, long before) {
        if (ids.get(0) <= before) {
            throw new IdConfigurationException("The ids of a strictly ordered sequence must ascend: "
                    + remote.about() + ", " + server.label() + " gave " + ids.get(0) + " after " + before
                    + ". Check that only one server is active, and that its store did not go back"
                    + Pages.onCall("service-again"));
        }
        long largest = ids.get(ids.size() - 1);
        if (largest > sequence.maxValue()) {
            throw new IdsExhaustedException("The next id does not fit its type: " + sequence + " id=" + largest
                    + ", allowed: up to " + sequence.maxValue() + ". Map the property to a wider type"
                    + Pages.onCall("counter-no-room"));
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
                remote.outage().failure().map(FailureText::of),
                Optional.empty(),
                Optional.empty());
    }

    /** Ends the calls that wait. */
    @Override
    public void close() {
        calls.close();
    }
}

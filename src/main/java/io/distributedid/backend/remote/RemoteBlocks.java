package io.distributedid.backend.remote;

import io.distributedid.internal.block.BlockGroup;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.internal.block.GroupedSource;
import io.distributedid.internal.service.JsonObject;
import io.distributedid.internal.service.ServiceException;
import io.distributedid.internal.service.ServicePool;
import io.distributedid.internal.service.ServiceServer;
import io.distributedid.spi.Block;
import io.distributedid.spi.ReservedBlock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes blocks of one sequence from an issuing service.
 *
 * <p>A block has spent time in the buffer of the service. It counts as reserved at the time when the request was sent,
 * less the age that the answer says: that is earlier than the truth, since the service reckons the age later, when it
 * answers. A block that is older than 9/10 of {@code block.max_age} is dropped, as the buffer of this process would do;
 * if all of an answer are, the next server is asked.
 *
 * <p>An answer may hold several blocks. Those that are not wanted yet wait here, and grow older. The ids of an answer
 * that came too late, or broke a rule, are a gap: no request asks for them again. Thread-safe.
 */
final class RemoteBlocks implements GroupedSource {

    /** Longer than any process runs; nanoseconds of more would overflow. */
    private static final long LARGEST_AGE = Duration.ofDays(36_500).toMillis();

    /** @param reservedAt by the monotonic clock of this process */
    private record Aged(Block block, long reservedAt) {}

    private final RemoteSequence sequence;

    private final Description.Kind kind;

    private final long most;

    private final Optional<Duration> oldest;

    /** How long a server may wait for its clock to pass existing ids. */
    private final Duration timeout;

    private final LongSupplier nanoTime;

    private final ReentrantLock lock = new ReentrantLock();

    /** Blocks of the last answer. Guarded by the lock. */
    private final Deque<Aged> rest = new ArrayDeque<>();

    /** The number of {@link #discard} calls. Guarded by the lock. */
    private long discards;

    /** @param description of the sequence when it was opened */
    RemoteBlocks(RemoteSequence sequence, Description description, BlockPolicy policy, LongSupplier nanoTime) {
        this.sequence = sequence;
        this.kind = description.kind();
        this.most = description.maxBlock();
        this.oldest = policy.maxAge().map(age -> age.multipliedBy(9).dividedBy(10));
        this.timeout = policy.timeout();
        this.nanoTime = nanoTime;
    }

    @Override
    public Block reserve(long wanted) throws InterruptedException {
        return reserveAged(wanted).block();
    }

    @Override
    public ReservedBlock reserveAged(long wanted) throws InterruptedException {
        long before;
        lock.lock();
        try {
            Aged kept = takeKept(wanted);
            if (kept != null) {
                return reserved(kept);
            }
            before = discards;
        } finally {
            lock.unlock();
        }
        long count = Math.min(wanted, most);
        List<Aged> blocks = ServicePool.await(
                        sequence.pool().ask(sequence, server -> ask(server, count), server -> ask(server, 1)))
                .good();
        lock.lock();
        try {
            if (before == discards) {
                rest.addAll(blocks);
                Aged taken = takeKept(wanted);
                if (taken != null) {
                    return reserved(taken);
                }
            }
            // The buffer drops it too.
            return reserved(blocks.get(0));
        } finally {
            lock.unlock();
        }
    }

    /** Null if none is left that is young enough. The caller holds the lock. */
    private @Nullable Aged takeKept(long wanted) {
        long now = nanoTime.getAsLong();
        rest.removeIf(each -> isTooOld(each, now));
        Aged next = rest.poll();
        if (next == null || next.block.count() <= wanted) {
            return next;
        }
        Block block = next.block;
        rest.addFirst(new Aged(
                new Block(block.first() + wanted * block.step(), block.step(), block.count() - wanted),
                next.reservedAt));
        return new Aged(new Block(block.first(), block.step(), wanted), next.reservedAt);
    }

    private ReservedBlock reserved(Aged taken) {
        return new ReservedBlock(taken.block, Duration.ofNanos(nanoTime.getAsLong() - taken.reservedAt));
    }

    private boolean isTooOld(Aged each, long now) {
        return oldest.isPresent() && now - each.reservedAt > oldest.get().toNanos();
    }

    private CompletableFuture<List<Aged>> ask(ServiceServer server, long count) {
        return sequence.ready(server, kind, timeout).thenCompose(done -> {
            long sent = nanoTime.getAsLong();
            return server.post(
                    sequence.path("/blocks?count=" + count),
                    sequence.about(),
                    answer -> read(server, answer, count, sent));
        });
    }

    private List<Aged> read(ServiceServer server, JsonObject answer, long count, long sent) {
        Description.requireSequence(answer, sequence.name());
        List<Aged> blocks = new ArrayList<>();
        long ids = 0;
        for (JsonObject each : answer.objects("blocks")) {
            blocks.add(new Aged(new Block(each.id("first"), each.id("step"), each.id("count")), sent - ageNanos(each)));
            ids = Math.addExact(ids, each.id("count"));
        }
        if (ids < 1 || ids > count) {
            throw new IllegalArgumentException("the ids must be 1 to " + count + ": " + ids);
        }
        sequence.requireToken(server, answer.find("token"));
        for (Aged each : blocks) {
            sequence.memory().blocks().add(sequence.name(), each.block, server.label());
            sequence.given(server, each.block.last());
        }
        return young(blocks);
    }

    private static long ageNanos(JsonObject block) {
        long age = block.findCount("ageMillis").orElseThrow(() -> new IllegalArgumentException("ageMillis is missing"));
        if (age > LARGEST_AGE) {
            throw new IllegalArgumentException("ageMillis must be at most " + LARGEST_AGE + ": " + age);
        }
        return Duration.ofMillis(age).toNanos();
    }

    private List<Aged> young(List<Aged> blocks) {
        long now = nanoTime.getAsLong();
        List<Aged> young = blocks.stream().filter(each -> !isTooOld(each, now)).toList();
        if (young.isEmpty()) {
            long age = Duration.ofNanos(now - blocks.get(blocks.size() - 1).reservedAt)
                    .toMillis();
            throw new CompletionException(new ServiceException(
                    ServiceException.Kind.UNAVAILABLE,
                    "The ids are too old: age=" + age + "ms, allowed: up to "
                            + oldest.orElseThrow().toMillis() + "ms, 9/10 of block.max_age. The block.max_age of the"
                            + " service must not be longer than that of this application",
                    null));
        }
        return young;
    }

    /** Drops all blocks, since the counter was raised above them. */
    void discard() {
        lock.lock();
        try {
            discards++;
            rest.clear();
        } finally {
            lock.unlock();
        }
    }

    /** The requests of several sequences do not travel together: the service answers each by itself. */
    @Override
    public BlockGroup group() {
        return new BlockGroup.Lone(this, sequence.pool().label());
    }

    @Override
    public String server() {
        return sequence.lastServer();
    }
}

package io.distributedid.backend.remote;

import io.distributedid.internal.block.BlockGroup;
import io.distributedid.internal.block.GroupedSource;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.service.Json;
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

    /**
     * @param reservedAt by the monotonic clock of this process
     * @param raises of the sequence when the request was sent
     */
    private record Aged(Block block, long reservedAt, long raises) {}

    private final RemoteSequence sequence;

    private final Optional<Duration> oldest;

    private final Platform platform;

    /** Blocks of the last answer. Guarded by this object. */
    private final Deque<Aged> rest = new ArrayDeque<>();

    /** @param maxAge of ids */
    RemoteBlocks(RemoteSequence sequence, Optional<Duration> maxAge, Platform platform) {
        this.sequence = sequence;
        this.oldest = maxAge.map(age -> age.multipliedBy(9).dividedBy(10));
        this.platform = platform;
    }

    @Override
    public Block reserve(long wanted) throws InterruptedException {
        return reserveAged(wanted).block();
    }

    @Override
    public ReservedBlock reserveAged(long wanted) throws InterruptedException {
        Aged taken = take(List.of(), wanted);
        if (taken == null) {
            ServicePool pool = sequence.pool();
            List<Aged> blocks = pool.await(pool.ask(sequence, server -> ask(server, wanted)))
                    .good();
            taken = take(blocks, wanted);
            if (taken == null) {
                // The buffer drops it too.
                taken = blocks.get(0);
            }
        }
        return new ReservedBlock(taken.block, Duration.ofNanos(platform.nanoTime() - taken.reservedAt));
    }

    /** Null if no block is left that is young enough, and not from before a raise. */
    private synchronized @Nullable Aged take(List<Aged> more, long wanted) {
        long now = platform.nanoTime();
        rest.addAll(more);
        rest.removeIf(each -> each.raises != sequence.raises() || isTooOld(each, now));
        Aged next = rest.poll();
        if (next == null || next.block.count() <= wanted) {
            return next;
        }
        Block block = next.block;
        rest.addFirst(new Aged(
                new Block(block.first() + wanted * block.step(), block.step(), block.count() - wanted),
                next.reservedAt,
                next.raises));
        return new Aged(new Block(block.first(), block.step(), wanted), next.reservedAt, next.raises);
    }

    private boolean isTooOld(Aged each, long now) {
        return oldest.isPresent() && now - each.reservedAt > oldest.get().toNanos();
    }

    private CompletableFuture<List<Aged>> ask(ServiceServer server, long wanted) {
        return sequence.ready(server).thenCompose(said -> {
            long count = Math.min(wanted, said.maxBlock());
            long sent = platform.nanoTime();
            long raises = sequence.raises();
            return sequence.take(server, "/blocks?count=" + count, answer -> read(answer, count, sent, raises))
                    .thenApply(blocks -> given(server, blocks));
        });
    }

    private static List<Aged> read(Json answer, long count, long sent, long raises) {
        List<Aged> blocks = new ArrayList<>();
        long ids = 0;
        for (Json each : answer.objects("blocks")) {
            blocks.add(new Aged(
                    new Block(each.id("first"), each.id("step"), each.id("count")), sent - ageNanos(each), raises));
            ids = Math.addExact(ids, each.id("count"));
        }
        if (ids < 1 || ids > count) {
            throw new IllegalArgumentException("the ids must be 1 to " + count + ": " + ids);
        }
        return blocks;
    }

    private static long ageNanos(Json block) {
        long age = block.findCount("ageMillis").orElseThrow(() -> new IllegalArgumentException("ageMillis is missing"));
        if (age > LARGEST_AGE) {
            throw new IllegalArgumentException("ageMillis must be at most " + LARGEST_AGE + ": " + age);
        }
        return Duration.ofMillis(age).toNanos();
    }

    /** Those that are young enough. */
    private List<Aged> given(ServiceServer server, List<Aged> blocks) {
        for (Aged each : blocks) {
            sequence.memory().requireNew(each.block, server.label());
            sequence.given(server, each.block.last());
        }
        long now = platform.nanoTime();
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

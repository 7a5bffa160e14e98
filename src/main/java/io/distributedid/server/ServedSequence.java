package io.distributedid.server;

import io.distributedid.DistributedIdException;
import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdHealth.SequenceHealth;
import io.distributedid.IdHealth.Status;
import io.distributedid.SequenceStatistics;
import io.distributedid.TenureStatistics;
import io.distributedid.internal.registry.IdBatch;
import io.distributedid.spi.ConnectionIdSource;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.ReservedBlock;
import io.distributedid.spi.ShardedIdSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A sequence that the server gives ids of. Ids that are in memory are given on the event loop at once; otherwise the
 * request waits for one of the sequence's own workers, so that a store that does not answer takes no thread from other
 * sequences.
 *
 * <p>If the store does not answer, or refuses, all requests that had come before the attempt began get its error: each
 * of them has waited at least as long as one caller waits. Thread-safe.
 */
final class ServedSequence implements Served {

    /**
     * A block for a caller.
     *
     * @param token of the id space, see {@link IdAdmin#token}
     */
    record TakenBlock(ReservedBlock reserved, Optional<String> token) {}

    /**
     * An open sequence.
     *
     * @param strictToken of the id space, if the ids are in strict order
     */
    private record Open(IdSource source, boolean isStrict, Optional<String> strictToken) {}

    /** @param began by {@link System#nanoTime} */
    private record Failed(long began, DistributedIdException failure) {}

    private final String name;

    private final DistributedIds ids;

    private final Workers workers;

    /** Null until the sequence is open. */
    private volatile @Nullable Open open;

    /** The last attempt that failed; null if there was none. */
    private volatile @Nullable Failed failed;

    /** @param workers of this sequence alone. More than a few do not help: the source fetches one block at a time */
    ServedSequence(String name, DistributedIds ids, Workers workers) {
        this.name = name;
        this.ids = ids;
        this.workers = workers;
    }

    @Override
    public String name() {
        return name;
    }

    DistributedIds ids() {
        return ids;
    }

    @Override
    public boolean isWell() {
        return open != null;
    }

    /**
     * Opens the sequence, unless it is open. May wait.
     *
     * @throws IdConfigurationException if the sequence is configured wrongly, or callers can't get its ids from here
     * @throws io.distributedid.IdUnavailableException if no server answers
     */
    @Override
    public void look() {
        Open unused = opened();
    }

    private Open opened() {
        Open found = open;
        if (found == null) {
            IdSource source = ids.sequence(name, Long.MAX_VALUE, ServerSettings.SEQUENCES.name());
            if (source instanceof ShardedIdSource || source instanceof ConnectionIdSource) {
                throw new IdConfigurationException(
                        "The ids of a served sequence must need neither a shard nor the row's own"
                                + " database: seq=" + name + ". Let the application make these ids itself, or leave"
                                + " out distributedid.shard.from");
            }
            boolean isStrict = tenure().isPresent();
            found = new Open(source, isStrict, isStrict ? ids.admin().token(name) : Optional.empty());
            open = found;
        }
        return found;
    }

    @Override
    public SequenceHealth health() {
        Optional<SequenceHealth> found = ids.health(name);
        return open != null && found.isPresent()
                ? found.get()
                : new SequenceHealth(
                        name, Status.DOWN, found.map(SequenceHealth::reason).orElse(NOT_OPEN), SequenceStatistics.NONE);
    }

    /** Whether the ids are in strict order, so that one server of all is active. */
    boolean isStrict() {
        Open found = open;
        return found != null && found.isStrict;
    }

    /** Of the id space, for answers with ids. Empty unless the ids are in strict order. */
    Optional<String> strictToken() {
        Open found = open;
        return found == null ? Optional.empty() : found.strictToken;
    }

    /** Empty unless the ids are in strict order, and another server is active. */
    Optional<TenureStatistics> standby() {
        return tenure().filter(tenure -> !tenure.isActive());
    }

    private Optional<TenureStatistics> tenure() {
        return ids.statistics(name).flatMap(SequenceStatistics::tenure);
    }

    /**
     * Takes ids: those in memory at once, the others when they are there. Charges the caller's quota.
     *
     * @param then given all of them on the request's event loop
     */
    void take(Exchange exchange, int count, Consumer<long[]> then) {
        exchange.reserve(count);
        Consumer<long[]> given = all -> {
            exchange.charge(count);
            then.accept(all);
        };
        Optional<IdBatch> begun = Optional.ofNullable(open).map(found -> new IdBatch(found.source, count));
        begun.flatMap(IdBatch::tryNext)
                .ifPresentOrElse(
                        given,
                        () -> await(
                                exchange,
                                source -> begun.orElseGet(() -> new IdBatch(source, count))
                                        .next(),
                                given));
    }

    /** Takes a block of at most {@code count} ids. Refused if the ids are in strict order. */
    void takeBlock(Exchange exchange, long count, Consumer<TakenBlock> then) {
        exchange.reserve(count);
        Consumer<TakenBlock> given = taken -> {
            exchange.charge(taken.reserved().block().count());
            then.accept(taken);
        };
        Open found = open;
        Optional<ReservedBlock> fromMemory =
                found == null || found.isStrict ? Optional.empty() : found.source.tryNextBlock(count);
        fromMemory
                .map(this::taken)
                .ifPresentOrElse(given, () -> await(exchange, source -> taken(block(source, count)), given));
    }

    /** The token after the ids: if the sequence moves meanwhile, callers refuse them. */
    private TakenBlock taken(ReservedBlock reserved) {
        return new TakenBlock(reserved, ids.admin().token(name));
    }

    private ReservedBlock block(IdSource source, long count) {
        if (isStrict()) {
            throw new Problem(
                    ProblemType.NO_BLOCKS,
                    "Ids in strict order can't be taken as a block: seq=" + name
                            + ". Take each id when it is needed, with POST /v1/sequences/" + name + "/ids");
        }
        return source.nextBlock(count);
    }

    private <T> void await(Exchange exchange, Function<IdSource, T> work, Consumer<T> then) {
        long since = System.nanoTime();
        workers.call(exchange, () -> attempt(since, work), then);
    }

    /** @param since when the request came */
    private <T> T attempt(long since, Function<IdSource, T> work) {
        Failed last = failed;
        if (last != null && last.began - since > 0) {
            throw last.failure;
        }
        long began = System.nanoTime();
        try {
            return work.apply(opened().source);
        } catch (DistributedIdException e) {
            failed = new Failed(began, e);
            throw e;
        }
    }
}

package io.distributedid.server;

import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.IdConfigurationException;
import io.distributedid.SequenceStatistics;
import io.distributedid.TenureStatistics;
import io.distributedid.internal.registry.IdBatch;
import io.distributedid.spi.ConnectionIdSource;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.ReservedBlock;
import io.distributedid.spi.ShardedIdSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A sequence that the server gives ids of. An id that is in memory is given on the event loop at once; otherwise the
 * request waits with others of its sequence. Thread-safe.
 */
final class ServedSequence implements Served {

    /**
     * A block for a caller.
     *
     * @param token of the id space, see {@link IdAdmin#token}
     */
    record TakenBlock(ReservedBlock reserved, Optional<String> token) {}

    /** How many requests are served at a time. More do not help: the source fetches one block at a time. */
    static final int WORKERS = 4;

    private final String name;

    private final DistributedIds ids;

    private final WaitingRequests<IdSource> waiting;

    /**
     * An open sequence.
     *
     * @param strictToken of the id space, if the ids are in strict order
     */
    private record Open(IdSource source, boolean isStrict, Optional<String> strictToken) {}

    /** Null until the sequence is open. */
    private volatile @Nullable Open open;

    ServedSequence(
            String name,
            DistributedIds ids,
            Workers workers,
            int mostWorkers,
            AtomicInteger allWaiting,
            int mostWaiting) {
        this.name = name;
        this.ids = ids;
        waiting = new WaitingRequests<>(this::source, workers, mostWorkers, allWaiting, mostWaiting);
    }

    @Override
    public String name() {
        return name;
    }

    DistributedIds ids() {
        return ids;
    }

    @Override
    public boolean isOpen() {
        return open != null;
    }

    /**
     * Opens the sequence, unless it is open. May wait.
     *
     * @throws IdConfigurationException if the sequence is configured wrongly, or callers can't get its ids from here
     * @throws io.distributedid.IdUnavailableException if no server answers
     */
    @Override
    public void open() {
        IdSource unused = source();
    }

    private IdSource source() {
        Open found = open;
        if (found == null) {
            IdSource source = ids.sequence(name, Long.MAX_VALUE, ServerSettings.SEQUENCES.name());
            requireServable(source);
            boolean isStrict = tenure().isPresent();
            found = new Open(source, isStrict, isStrict ? ids.admin().token(name) : Optional.empty());
            open = found;
        }
        return found.source;
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

    private void requireServable(IdSource found) {
        if (found instanceof ShardedIdSource || found instanceof ConnectionIdSource) {
            throw new IdConfigurationException(
                    "The ids of a served sequence must need neither a shard nor the row's own"
                            + " database: seq=" + name + ". Let the application make these ids itself, or leave out "
                            + "distributedid.shard.from");
        }
    }

    /**
     * Takes ids: those in memory at once, the others when they are there. Charges the caller's quota.
     *
     * @param then given all of them on the request's event loop
     */
    void take(Exchange exchange, int count, Consumer<long[]> then) {
        exchange.requireOwnPage();
        exchange.reserve(count);
        Consumer<long[]> charged = all -> {
            exchange.charge(count);
            then.accept(all);
        };
        Optional<IdBatch> begun = Optional.ofNullable(open).map(found -> new IdBatch(found.source, count));
        Optional<long[]> fromMemory = begun.flatMap(IdBatch::tryNext);
        if (fromMemory.isPresent()) {
            charged.accept(fromMemory.get());
        } else {
            waiting.add(
                    exchange,
                    name,
                    source -> begun.orElseGet(() -> new IdBatch(source, count)).next(),
                    charged);
        }
    }

    /** Takes a block of at most {@code count} ids. Refused if the ids are in strict order. */
    void takeBlock(Exchange exchange, long count, Consumer<TakenBlock> then) {
        exchange.requireOwnPage();
        exchange.reserve(count);
        Consumer<TakenBlock> charged = taken -> {
            exchange.charge(taken.reserved().block().count());
            then.accept(taken);
        };
        Open found = open;
        Optional<ReservedBlock> fromMemory =
                found == null || found.isStrict ? Optional.empty() : found.source.tryNextBlock(count);
        if (fromMemory.isPresent()) {
            charged.accept(taken(fromMemory.get()));
        } else {
            waiting.add(exchange, name, source -> block(source, count), charged);
        }
    }

    /** The token after the ids: if the sequence moves meanwhile, callers refuse them. */
    private TakenBlock taken(ReservedBlock reserved) {
        return new TakenBlock(reserved, ids.admin().token(name));
    }

    private TakenBlock block(IdSource source, long count) {
        if (isStrict()) {
            throw new Problem(
                    ProblemType.NO_BLOCKS,
                    "Ids in strict order can't be taken as a block: seq=" + name
                            + ". Take each when it is needed, by POST /v1/sequences/" + name + "/ids");
        }
        return taken(source.nextBlock(count));
    }
}

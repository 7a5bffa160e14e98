package io.distributedid.internal.registry;

import io.distributedid.DistributedIdException;
import io.distributedid.spi.ConnectionIdSource;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.ReservedBlock;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.ShardedIdSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The source that callers keep through all suspends and resumes. It takes ids from the source of the current
 * {@link Period}.
 *
 * <p>After it has taken an id, it checks that the source is still the current one. If not, it drops the id and takes
 * another. So no caller gets an id of an abandoned period after the suspend, even if the thread was paused in between.
 * While suspended, callers wait. Whoever takes several ids for one call uses an {@link IdBatch}, which drops all.
 */
@SuppressWarnings("ReferenceEquality")
public abstract sealed class SequenceSource implements IdSource {

    @FunctionalInterface
    interface Take<T, E extends Exception> {

        T from(OpenSequence open) throws E;
    }

    private final Sequence sequence;

    private final SequenceOpener opener;

    /**
     * The sequence in the current period, a new object in each. Written under the lock of {@link Periods}. Null while
     * suspended, and after a resume until the sequence is open again.
     */
    volatile @Nullable OpenSequence open;

    private SequenceSource(Sequence sequence, SequenceOpener opener) {
        this.sequence = sequence;
        this.opener = opener;
    }

    /** Implements the same interfaces as {@code source}, which is not attached yet. */
    static SequenceSource like(IdSource source, Sequence sequence, SequenceOpener opener) {
        if (source instanceof ShardedIdSource) {
            return new Sharded(sequence, opener);
        }
        return source instanceof ConnectionIdSource ? new OnConnections(sequence, opener) : new Plain(sequence, opener);
    }

    /** The same object as long as callers may use ids that they have set aside; null while none are available. */
    public static @Nullable Object period(IdSource source) {
        return source instanceof SequenceSource lasting ? lasting.open : source;
    }

    Sequence sequence() {
        return sequence;
    }

    /**
     * Takes ids of one period. Waits until the sequence is open if necessary; the time before a suspend does not count.
     */
    <T, E extends Exception> T take(Take<T, E> take) throws E {
        while (true) {
            OpenSequence seen = opener.open(this, System.nanoTime());
            try {
                T taken = take.from(seen);
                if (seen == open) {
                    return taken;
                }
            } catch (DistributedIdException e) {
                if (seen == open) {
                    throw e;
                }
            }
        }
    }

    private static final class Plain extends SequenceSource {

        Plain(Sequence sequence, SequenceOpener opener) {
            super(sequence, opener);
        }

        @Override
        public long next() {
            OpenSequence seen = open;
            if (seen != null) {
                try {
                    long id = seen.source().next();
                    if (seen == open) {
                        return id;
                    }
                } catch (DistributedIdException e) {
                    if (seen == open) {
                        throw e;
                    }
                }
            }
            return take(taking -> taking.source().next());
        }

        @Override
        public long tryNext() {
            OpenSequence seen = open;
            if (seen == null) {
                return 0;
            }
            long id = seen.source().tryNext();
            return seen == open ? id : 0;
        }

        @Override
        public ReservedBlock nextBlock(long count) {
            return take(taking -> taking.source().nextBlock(count));
        }

        @Override
        public Optional<ReservedBlock> tryNextBlock(long count) {
            OpenSequence seen = open;
            if (seen == null) {
                return Optional.empty();
            }
            Optional<ReservedBlock> taken = seen.source().tryNextBlock(count);
            return seen == open ? taken : Optional.empty();
        }
    }

    private static final class Sharded extends SequenceSource implements ShardedIdSource {

        Sharded(Sequence sequence, SequenceOpener opener) {
            super(sequence, opener);
        }

        @Override
        public long next() {
            return ShardedIdSource.super.next();
        }

        @Override
        public long next(long shard) {
            OpenSequence seen = open;
            if (seen != null) {
                try {
                    long id = ((ShardedIdSource) seen.source()).next(shard);
                    if (seen == open) {
                        return id;
                    }
                } catch (DistributedIdException e) {
                    if (seen == open) {
                        throw e;
                    }
                }
            }
            return take(taking -> ((ShardedIdSource) taking.source()).next(shard));
        }

        @Override
        public long tryNext(long shard) {
            OpenSequence seen = open;
            if (seen == null) {
                return 0;
            }
            long id = ((ShardedIdSource) seen.source()).tryNext(shard);
            return seen == open ? id : 0;
        }
    }

    private static final class OnConnections extends SequenceSource implements ConnectionIdSource {

        OnConnections(Sequence sequence, SequenceOpener opener) {
            super(sequence, opener);
        }

        @Override
        public long next() {
            return ConnectionIdSource.super.next();
        }

        @Override
        public long[] next(Connection connection, int count) throws SQLException {
            return take(taking -> ((ConnectionIdSource) taking.source()).next(connection, count));
        }
    }
}

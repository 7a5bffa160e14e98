package io.distributedid.internal.registry;

import io.distributedid.DistributedIdException;
import io.distributedid.spi.Block;
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
 * While suspended, callers wait.
 */
@SuppressWarnings("ReferenceEquality")
public abstract sealed class SequenceSource implements IdSource {

    @FunctionalInterface
    interface Take<T, E extends Exception> {

        T from(IdSource source) throws E;
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

    /** Takes ids, after waiting until the sequence is open if necessary. */
    <T, E extends Exception> T take(Take<T, E> take) throws E {
        long began = System.nanoTime();
        while (true) {
            OpenSequence seen = opener.open(this, began);
            try {
                T taken = take.from(seen.source());
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

    /** The next ids: whole parts of blocks if the source reserves blocks, else one after the other. */
    long[] next(int count) {
        long[] ids = new long[count];
        int taken = 0;
        while (taken < count) {
            OpenSequence seen = open;
            if (seen != null && seen.buffer().isPresent()) {
                Block block = nextBlock(count - taken).block();
                for (long i = 0; i < block.count(); i++) {
                    ids[taken++] = block.first() + i * block.step();
                }
            } else {
                ids[taken++] = next();
            }
        }
        return ids;
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
            return take(IdSource::next);
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
            return take(source -> source.nextBlock(count));
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
            return take(source -> ((ShardedIdSource) source).next(shard));
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
            return take(source -> ((ConnectionIdSource) source).next(connection, count));
        }
    }
}

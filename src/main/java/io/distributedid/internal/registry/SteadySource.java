package io.distributedid.internal.registry;

import io.distributedid.DistributedIdException;
import io.distributedid.spi.Backend;
import io.distributedid.spi.ConnectionIdSource;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.ShardedIdSource;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The ids of a sequence from its opening to the end, through all suspends and resumes: what callers keep. Behind it is the source of
 * the {@link Life} in use.
 *
 * <p>An id that was taken is looked at once more: unless its source is still the one in use, the id is dropped and another one is
 * taken. So no id of an abandoned life comes out after the suspend, however long its taker was held up. While suspended, callers wait.
 */
@SuppressWarnings("ReferenceEquality")
public abstract sealed class SteadySource implements IdSource {

    /** What is behind it in one life. A new object each time. */
    record Held(Backend backend, IdSource source) {}

    /** Takes ids. */
    @FunctionalInterface
    interface Take<T, E extends Exception> {

        T from(IdSource source) throws E;
    }

    private final Sequence sequence;

    private final OpenSequences sequences;

    /** Written under the lock of {@link Lives}; null while suspended, and after a resume until it was opened again. */
    volatile @Nullable Held held;

    private SteadySource(Sequence sequence, OpenSequences sequences) {
        this.sequence = sequence;
        this.sequences = sequences;
    }

    /** Of the same kind as {@code source}, which is not behind it yet. */
    static SteadySource like(IdSource source, Sequence sequence, OpenSequences sequences) {
        if (source instanceof ShardedIdSource) {
            return new Sharded(sequence, sequences);
        }
        return source instanceof ConnectionIdSource
                ? new OnConnections(sequence, sequences)
                : new Plain(sequence, sequences);
    }

    /**
     * Tells periods between suspends apart: ids that a caller has put aside must not be used in another one.
     *
     * @param source any
     * @return the same object as long as ids that were taken may be used; null while there are none to be had
     */
    public static @Nullable Object period(IdSource source) {
        return source instanceof SteadySource steady ? steady.held : source;
    }

    Sequence sequence() {
        return sequence;
    }

    /** With a wait, if need be. */
    <T, E extends Exception> T take(Take<T, E> take) throws E {
        long began = System.nanoTime();
        while (true) {
            Held seen = sequences.held(this, began);
            try {
                T taken = take.from(seen.source);
                if (seen == held) {
                    return taken;
                }
            } catch (DistributedIdException e) {
                if (seen == held) {
                    throw e;
                }
            }
        }
    }

    private static final class Plain extends SteadySource {

        Plain(Sequence sequence, OpenSequences sequences) {
            super(sequence, sequences);
        }

        @Override
        public long next() {
            Held seen = held;
            if (seen != null) {
                try {
                    long id = seen.source.next();
                    if (seen == held) {
                        return id;
                    }
                } catch (DistributedIdException e) {
                    if (seen == held) {
                        throw e;
                    }
                }
            }
            return take(IdSource::next);
        }
    }

    private static final class Sharded extends SteadySource implements ShardedIdSource {

        Sharded(Sequence sequence, OpenSequences sequences) {
            super(sequence, sequences);
        }

        @Override
        public long next() {
            return ShardedIdSource.super.next();
        }

        @Override
        public long next(long shard) {
            Held seen = held;
            if (seen != null) {
                try {
                    long id = ((ShardedIdSource) seen.source).next(shard);
                    if (seen == held) {
                        return id;
                    }
                } catch (DistributedIdException e) {
                    if (seen == held) {
                        throw e;
                    }
                }
            }
            return take(source -> ((ShardedIdSource) source).next(shard));
        }
    }

    private static final class OnConnections extends SteadySource implements ConnectionIdSource {

        OnConnections(Sequence sequence, OpenSequences sequences) {
            super(sequence, sequences);
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

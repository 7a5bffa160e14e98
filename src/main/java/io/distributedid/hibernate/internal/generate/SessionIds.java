package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.registry.SequenceSource;
import io.distributedid.spi.ConnectionIdSource;
import io.distributedid.spi.IdShard;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.function.LongSupplier;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.resource.transaction.spi.TransactionObserver;
import org.jspecify.annotations.Nullable;

/**
 * Ids that the row's own database makes, asked for on the connection of the session that writes the row.
 *
 * <p>A transaction asks for one id first, then for 2, 4, 8, ... at a time, up to {@code batch}; at once for as many as
 * the JDBC batch that its session was told to write, as by {@code StatelessSession.insertMultiple}. What is left at its
 * end is dropped: the session's next transaction may be on another connection, and so on another shard. Without a
 * transaction each id is asked for by itself. No id is used that is older than {@code maxAge}. Where the row itself
 * says its shard, the id must have the same one: a connection to the wrong shard is noticed. Thread-safe; each session
 * is used by one thread at a time.
 *
 * @param source asks the database
 * @param batch most ids asked for at once
 * @param maxAge empty if ids don't age
 * @param check compares each id with its row
 * @param rests what the transactions of sessions have left
 * @param nanos a clock that only goes forward
 */
record SessionIds(
        ConnectionIdSource source,
        int batch,
        Optional<Duration> maxAge,
        Optional<Check> check,
        Map<SharedSessionContractImplementor, Rest> rests,
        LongSupplier nanos)
        implements PropertyIds.RowSource {

    /** The shard that a row must have, and where it stands in ids. */
    record Check(RowShard row, IdShard field) {

        void require(long id, SharedSessionContractImplementor session, @Nullable Object owner) {
            long wanted = row.of(session, owner);
            if (field.of(id) != wanted) {
                throw new IdConfigurationException("A row must be written to its own shard: the row says shard="
                        + wanted
                        + ", the database that it would be written to gave id=" + id + " of shard=" + field.of(id)
                        + ". Look at the connection of the session (schema, search_path) and at the function's shard");
            }
        }
    }

    /** Of a session's transaction; used by the session's thread. */
    static final class Rest implements TransactionObserver {

        private long[] ids = {};

        private int next;

        private long takenAt;

        /** See {@link SequenceSource#period}. */
        private @Nullable Object period;

        @Override
        public void afterBegin() {
            drop();
        }

        @Override
        public void beforeCompletion() {
            // A flush may still ask for ids.
        }

        @Override
        public void afterCompletion(boolean successful, boolean delayed) {
            drop();
        }

        private void drop() {
            ids = new long[0];
            next = 0;
        }
    }

    static SessionIds of(ConnectionIdSource source, int batch, Optional<Duration> maxAge, Optional<Check> check) {
        return new SessionIds(
                source, batch, maxAge, check, Collections.synchronizedMap(new WeakHashMap<>()), System::nanoTime);
    }

    @Override
    public long next(SharedSessionContractImplementor session, @Nullable Object owner) {
        long id = session.isTransactionInProgress()
                ? next(restOf(session), session, first(session))
                : next(new Rest(), session, 1);
        check.ifPresent(each -> each.require(id, session, owner));
        return id;
    }

    private Rest restOf(SharedSessionContractImplementor session) {
        return rests.computeIfAbsent(session, any -> {
            Rest rest = new Rest();
            session.getTransactionCoordinator().addObserver(rest);
            return rest;
        });
    }

    /** A rest from before a suspend is dropped: a copy of this process may have it too. */
    @SuppressWarnings("ReferenceEquality")
    private long next(Rest rest, SharedSessionContractImplementor session, int first) {
        while (true) {
            Object period = SequenceSource.period(source);
            long now = nanos.getAsLong();
            boolean tooOld =
                    maxAge.isPresent() && now - rest.takenAt > maxAge.get().toNanos();
            if (rest.next == rest.ids.length || tooOld || rest.period != period) {
                int count = rest.ids.length == 0 ? first : Math.min(2 * rest.ids.length, batch);
                rest.ids = session.doReturningWork(connection -> source.next(connection, count));
                rest.next = 0;
                rest.takenAt = now;
                rest.period = period;
            }
            long id = rest.ids[rest.next];
            rest.next++;
            if (period != null && SequenceSource.period(source) == period) {
                return id;
            }
        }
    }

    private int first(SharedSessionContractImplementor session) {
        Integer told = session.getJdbcBatchSize();
        return told == null ? 1 : Math.max(1, Math.min(told, batch));
    }
}

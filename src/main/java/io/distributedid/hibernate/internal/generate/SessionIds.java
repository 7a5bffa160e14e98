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
 * Takes ids that the row's own database makes, on the connection of the session that writes the row.
 *
 * <p>A transaction fetches one id first, then 2, 4, 8, ... at a time, up to {@code batch}. If its session has a JDBC
 * batch size, for example by {@code StatelessSession.insertMultiple}, it fetches that many at first. Ids left at the
 * end of the transaction are dropped: the session's next transaction may use another connection, and so another shard.
 * Without a transaction, each id is fetched alone. Ids older than {@code maxAge} are dropped. If the row has a shard,
 * the id must have the same one, which detects a connection to the wrong shard. Thread-safe; each session is used by
 * one thread at a time.
 *
 * @param maxAge empty if ids don't age
 * @param check compares the shard of each id with that of its row
 * @param rests the unused ids of each session's transaction
 */
record SessionIds(
        ConnectionIdSource source,
        int batch,
        Optional<Duration> maxAge,
        Optional<Check> check,
        Map<SharedSessionContractImplementor, Rest> rests,
        LongSupplier nanos)
        implements PropertyIds.RowSource {

    /** Compares the shard of a row with the shard in its id. */
    record Check(RowShard row, IdShard field) {

        void require(long id, SharedSessionContractImplementor session, @Nullable Object owner) {
            long wanted = row.of(session, owner);
            if (field.of(id) != wanted) {
                throw new IdConfigurationException("A row must be written to its own shard: the row has shard="
                        + wanted
                        + ", the database that it would be written to gave id=" + id + " of shard=" + field.of(id)
                        + ". Check the connection of the session (schema, search_path) and the function's shard");
            }
        }
    }

    /** The unused ids of a session's transaction. Confined to the session's thread. */
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

    /** Drops ids fetched before a suspend, since a copy of this process may have them too. */
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
        Integer jdbcBatch = session.getJdbcBatchSize();
        return jdbcBatch == null ? 1 : Math.max(1, Math.min(jdbcBatch, batch));
    }
}

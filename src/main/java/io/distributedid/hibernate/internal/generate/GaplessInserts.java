package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.hibernate.StatelessSession;
import org.hibernate.cfg.BatchSettings;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.resource.transaction.spi.TransactionCoordinator;
import org.hibernate.resource.transaction.spi.TransactionObserver;
import org.hibernate.resource.transaction.spi.TransactionStatus;
import org.jspecify.annotations.Nullable;

/**
 * Refuses the next number and the commit of a transaction that has taken a number without gaps whose row may not be
 * inserted: a commit would leave a gap. Hibernate lets a {@link StatelessSession} go on after any failed insert, and a
 * {@code Session} after a timeout.
 *
 * <p>A flush is noted when it has taken a number, until it has succeeded. A row that gets its number outside a flush is
 * noted until Hibernate says that it was inserted, on the same thread. With JDBC batches of a {@code StatelessSession}
 * Hibernate says so before it sends the row, so they are refused. Thread-safe.
 */
final class GaplessInserts {

    /** Of each session. */
    private final Map<SharedSessionContractImplementor, Taken> bySession =
            Collections.synchronizedMap(new WeakHashMap<>());

    /**
     * Up to Hibernate 7.1, the event of an insert does not name its session. Weak, since a row leads to the
     * SessionFactory, and the thread may live longer.
     */
    @SuppressWarnings("ThreadLocalUsage") // Each object has its own.
    private final ThreadLocal<WeakReference<Row>> last = new ThreadLocal<>();

    /** A row that has a number. Used by one thread at a time, as its session is. */
    private static final class Row {

        private final WeakReference<Object> entity;

        /** An entity may have several numbers. */
        private final Set<KeyedColumn> numbers = new HashSet<>();

        private boolean isInserted;

        private Row(Object entity) {
            this.entity = new WeakReference<>(entity);
        }

        /** Whether it is the same insert that asks for one more number. */
        private boolean takes(Object owner, KeyedColumn column) {
            return !isInserted && entity.refersTo(owner) && !numbers.contains(column);
        }
    }

    /** What a session's transaction has numbered and, as far as is known, not inserted. Keeps the first that failed. */
    private final class Taken implements TransactionObserver {

        /** Weak: the session is the key of the map. */
        private final WeakReference<SharedSessionContractImplementor> session;

        private @Nullable Row row;

        private @Nullable FlushNumbers flush;

        private @Nullable KeyedColumn ofFlush;

        private Taken(SharedSessionContractImplementor session) {
            this.session = new WeakReference<>(session);
        }

        private void requireInserted() {
            if (row != null && !row.isInserted) {
                throw refusal(
                        "A row with a number without gaps was not inserted: ",
                        row.numbers.iterator().next());
            }
        }

        private void requireEnded() {
            if (ofFlush != null) {
                throw refusal("A flush with numbers without gaps did not succeed: ", ofFlush);
            }
        }

        private static IdConfigurationException refusal(String what, KeyedColumn column) {
            return new IdConfigurationException(what + column.property()
                    + ". A commit would leave a gap. Roll the transaction back, and repeat it");
        }

        /** Under JTA Hibernate calls it after a failure too, which must stay the one that the caller sees. */
        private boolean isRolledBack() {
            SharedSessionContractImplementor of = session.get();
            if (of == null) {
                return false;
            }
            TransactionCoordinator coordinator = of.getTransactionCoordinator();
            return coordinator.getTransactionCoordinatorBuilder().isJta()
                    && coordinator.getTransactionDriverControl().getStatus() == TransactionStatus.MARKED_ROLLBACK;
        }

        private void forget() {
            if (row != null && last.get() != null && last.get().refersTo(row)) {
                last.remove();
            }
            row = null;
            flush = null;
            ofFlush = null;
        }

        @Override
        public void afterBegin() {
            forget();
        }

        @Override
        public void beforeCompletion() {
            if (!isRolledBack()) {
                requireInserted();
                requireEnded();
            }
        }

        @Override
        public void afterCompletion(boolean successful, boolean delayed) {
            forget();
        }
    }

    /** Call it before a number is taken outside a flush. */
    void require(SharedSessionContractImplementor session, Object entity, KeyedColumn column) {
        if (session instanceof StatelessSession) {
            requireNoBatches(session, column);
        }
        Taken taken = bySession.get(session);
        if (taken != null) {
            if (taken.row == null || !taken.row.takes(entity, column)) {
                taken.requireInserted();
            }
            taken.requireEnded();
        }
    }

    /** A number was taken outside a flush. */
    void took(SharedSessionContractImplementor session, Object entity, KeyedColumn column) {
        Taken taken = taken(session);
        Row row = taken.row;
        if (row == null || !row.takes(entity, column)) {
            row = new Row(entity);
            taken.row = row;
        }
        row.numbers.add(column);
        last.set(new WeakReference<>(row));
    }

    /** Call it before numbers are taken in a flush. */
    void require(SharedSessionContractImplementor session, FlushNumbers flush) {
        Taken taken = bySession.get(session);
        if (taken != null) {
            taken.requireInserted();
            if (taken.flush != flush) {
                taken.requireEnded();
            }
        }
    }

    /** Numbers were taken in a flush. */
    void took(SharedSessionContractImplementor session, FlushNumbers flush, KeyedColumn column) {
        Taken taken = taken(session);
        if (taken.flush == null) {
            taken.flush = flush;
            taken.ofFlush = column;
        }
    }

    /** Whether a flush has taken numbers in this transaction, and has not succeeded. */
    boolean isOpen(SharedSessionContractImplementor session, FlushNumbers flush) {
        Taken taken = bySession.get(session);
        return taken != null && taken.flush == flush;
    }

    /** A flush has succeeded. */
    void ended(SharedSessionContractImplementor session, FlushNumbers flush) {
        Taken taken = bySession.get(session);
        if (taken != null && taken.flush == flush) {
            taken.flush = null;
            taken.ofFlush = null;
        }
    }

    private Taken taken(SharedSessionContractImplementor session) {
        Taken taken = bySession.get(session);
        if (taken == null) {
            taken = new Taken(session);
            session.getTransactionCoordinator().addObserver(taken);
            bySession.put(session, taken);
        }
        return taken;
    }

    private static void requireNoBatches(SharedSessionContractImplementor session, KeyedColumn column) {
        int size = batchSize(session);
        if (size > 1) {
            throw new IdConfigurationException("A StatelessSession can't tell which row of a JDBC batch failed, which"
                    + " would leave a gap: " + column.property() + " batchSize=" + size + ", allowed: 0 or 1. Call"
                    + " session.setJdbcBatchSize(1) and insert the rows one by one, or use a Session");
        }
    }

    /** As Hibernate computes it for inserts; {@code getConfiguredJdbcBatchSize} has another default. */
    private static int batchSize(SharedSessionContractImplementor session) {
        Integer own = session.getJdbcBatchSize();
        Object all = session.getFactory().getProperties().get(BatchSettings.STATEMENT_BATCH_SIZE);
        if (own != null) {
            return own;
        }
        return all == null ? 1 : Integer.parseInt(all.toString().strip());
    }

    /** Call it after a row was inserted. */
    void inserted(Object entity) {
        WeakReference<Row> noted = last.get();
        Row row = noted == null ? null : noted.get();
        if (row != null && row.entity.refersTo(entity)) {
            row.isInserted = true;
            last.remove();
        }
    }
}

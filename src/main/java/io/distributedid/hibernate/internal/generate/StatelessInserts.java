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
import org.hibernate.resource.transaction.spi.TransactionObserver;
import org.jspecify.annotations.Nullable;

/**
 * Refuses the commit of a {@link StatelessSession} in which a row with a number without gaps was not inserted. Such a
 * session goes on after a failed insert, unlike a {@code Session}: a commit would leave a gap.
 *
 * <p>The number is noted when it is taken, and its row when Hibernate says that it was inserted, on the same thread.
 * With JDBC batches Hibernate says so before it sends the row, so they are refused. Thread-safe.
 */
final class StatelessInserts {

    /** Of each session. */
    private final Map<SharedSessionContractImplementor, Inserts> bySession =
            Collections.synchronizedMap(new WeakHashMap<>());

    /** Up to Hibernate 7.1, the event of an insert does not name its session. */
    @SuppressWarnings("ThreadLocalUsage") // Each object has its own.
    private final ThreadLocal<Row> last = new ThreadLocal<>();

    /** A row that has a number. Used by one thread at a time, as its session is. */
    private static final class Row {

        private final WeakReference<Object> entity;

        /** An entity may have several numbers. */
        private final Set<KeyedColumn> numbers = new HashSet<>();

        private boolean isInserted;

        private Row(Object entity) {
            this.entity = new WeakReference<>(entity);
        }
    }

    /** Those of a session's transaction. Keeps the first row that failed. */
    private static final class Inserts implements TransactionObserver {

        private @Nullable Row open;

        private void requireInserted() {
            if (open != null && !open.isInserted) {
                throw new IdConfigurationException("A row with a number without gaps was not inserted: "
                        + open.numbers.iterator().next().property()
                        + ". A commit would leave a gap. Roll the transaction back after a failed insert");
            }
        }

        @Override
        public void afterBegin() {
            open = null;
        }

        @Override
        public void beforeCompletion() {
            requireInserted();
        }

        @Override
        public void afterCompletion(boolean successful, boolean delayed) {
            open = null;
        }
    }

    /** Call it before a number without gaps is taken outside a flush. */
    void begin(SharedSessionContractImplementor session, Object entity, KeyedColumn column) {
        if (!(session instanceof StatelessSession)) {
            return;
        }
        requireNoBatches(session, column);
        Inserts inserts = bySession.get(session);
        if (inserts == null) {
            inserts = new Inserts();
            session.getTransactionCoordinator().addObserver(inserts);
            bySession.put(session, inserts);
        }
        Row open = inserts.open;
        boolean isSameInsert =
                open != null && !open.isInserted && open.entity.refersTo(entity) && !open.numbers.contains(column);
        if (open == null || !isSameInsert) {
            inserts.requireInserted();
            open = new Row(entity);
            inserts.open = open;
        }
        open.numbers.add(column);
        last.set(open);
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
        Row row = last.get();
        if (row != null && row.entity.refersTo(entity)) {
            row.isInserted = true;
            last.remove();
        }
    }
}

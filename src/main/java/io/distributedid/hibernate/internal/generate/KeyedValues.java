package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.internal.registry.WaitingCallers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.AutoFlushEvent;
import org.hibernate.event.spi.AutoFlushEventListener;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.FlushEvent;
import org.hibernate.event.spi.FlushEventListener;
import org.hibernate.event.spi.MergeContext;
import org.hibernate.event.spi.MergeEvent;
import org.hibernate.event.spi.MergeEventListener;
import org.hibernate.event.spi.PersistContext;
import org.hibernate.event.spi.PersistEvent;
import org.hibernate.event.spi.PersistEventListener;
import org.hibernate.mapping.PersistentClass;
import org.jspecify.annotations.Nullable;

/**
 * The numbers per key of one SessionFactory. Stands around Hibernate's listeners for flushes, and for {@code persist()}
 * and {@code merge()}, which insert a row at once if the database makes its id. Each {@link KeyedOperation} takes the
 * numbers of its rows. A {@code StatelessSession} takes one for each row. Thread-safe.
 *
 * <p>If an operation fails that has taken a number without gaps, its row may be missing, and a commit would leave a
 * gap. So the transaction can then only be rolled back, also after a lock timeout, for which Hibernate lets it go on.
 */
public final class KeyedValues {

    /** Null until the SessionFactory is created. */
    private volatile @Nullable Map<String, List<KeyedColumn>> byEntity;

    /** The outermost operation of each session. */
    private final Map<SharedSessionContractImplementor, KeyedOperation> current = new ConcurrentHashMap<>();

    /** By sequence. */
    private final Map<String, WaitingCallers> waiting = new ConcurrentHashMap<>();

    /** Call it if there are numbers per key. */
    public KeyedValues() {}

    /** Not for Hibernate Reactive, which has no numbers without gaps. */
    public void listen(EventListenerRegistry listeners) {
        listeners.setListeners(EventType.FLUSH, new Flush(this, of(EventType.FLUSH, listeners)));
        listeners.setListeners(EventType.AUTO_FLUSH, new AutoFlush(this, of(EventType.AUTO_FLUSH, listeners)));
        listeners.setListeners(EventType.PERSIST, new Persist(this, of(EventType.PERSIST, listeners)));
        listeners.setListeners(EventType.PERSIST_ONFLUSH, new Persist(this, of(EventType.PERSIST_ONFLUSH, listeners)));
        listeners.setListeners(EventType.MERGE, new Merge(this, of(EventType.MERGE, listeners)));
    }

    private static <T> List<T> of(EventType<T> type, EventListenerRegistry listeners) {
        List<T> found = new ArrayList<>();
        listeners.getEventListenerGroup(type).fireEventOnEachListener(found, (listener, all) -> all.add(listener));
        return found;
    }

    /** Call it when the SessionFactory is created. */
    public static void open(List<MappedProperty> columns, SessionFactoryImplementor factory) {
        Map<String, List<KeyedColumn>> byEntity = new HashMap<>();
        for (MappedProperty column : columns) {
            for (PersistentClass entity : column.owner().getSubclassClosure()) {
                byEntity.computeIfAbsent(entity.getEntityName(), any -> new ArrayList<>())
                        .add(KeyedColumn.of(column, entity.getEntityName(), factory));
            }
        }
        of(factory).byEntity = byEntity;
    }

    static KeyedValues of(SessionFactoryImplementor factory) {
        return UnitIds.of(factory).kept(KeyedValues.class).orElseThrow();
    }

    /** The properties of an entity. */
    List<KeyedColumn> columns(String entity) {
        Map<String, List<KeyedColumn>> known = byEntity;
        if (known == null) {
            throw new IllegalStateException("The SessionFactory is not created yet");
        }
        return known.getOrDefault(entity, List.of());
    }

    private KeyedColumn column(String entity, String property) {
        return columns(entity).stream()
                .filter(each -> each.property().path().equals(property))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalStateException("The number is not known at the start: " + entity + "." + property));
    }

    /** The next number for a property of a row that is being inserted. */
    Object next(SharedSessionContractImplementor session, Object owner, String entity, String property) {
        KeyedColumn column = column(entity, property);
        FlushKey key = column.require(owner, session);
        KeyedOperation operation = current.get(session);
        if (operation == null && column.per().gapless()) {
            throw new IdConfigurationException(
                    "A number without gaps is given by persist(), merge() and flush() of a Session only: " + column
                            + " session=" + session.getClass().getSimpleName() + ". They roll back if an insert fails."
                            + " Insert the row by persist(), or use a sequence with gaps");
        }
        long number = operation == null ? column.take(key, 1, session)[0] : operation.next(column, key);
        return column.property().conversion().convert(number, session);
    }

    /** As {@link #next} for one row, without waiting. Not for numbers without gaps. */
    CompletionStage<Object> nextAsync(
            SharedSessionContractImplementor session, Object owner, String entity, String property) {
        KeyedColumn column = column(entity, property);
        FlushKey key = column.require(owner, session);
        KeyedNumbers sequence = column.sequence();
        String text = sequence.key(key.key());
        CompletionStage<Long> number = waiting.computeIfAbsent(key.sequence(), any -> new WaitingCallers())
                .add(() -> sequence.last(text, 1));
        return number.thenApply(each -> column.property().conversion().convert(each, session));
    }

    private void run(SharedSessionContractImplementor session, boolean isFlush, Runnable work) {
        KeyedOperation outer = current.get(session);
        KeyedOperation operation = outer == null ? new KeyedOperation(session) : outer;
        current.put(session, operation);
        try {
            operation.run(isFlush, work);
        } catch (RuntimeException | Error e) {
            if (operation.isGapless()) {
                markRollbackOnly(session, e);
            }
            throw e;
        } finally {
            if (outer == null) {
                current.remove(session);
            }
        }
    }

    private static void markRollbackOnly(SharedSessionContractImplementor session, Throwable why) {
        try {
            session.getTransactionCoordinator().getTransactionDriverControl().markRollbackOnly();
        } catch (RuntimeException e) {
            why.addSuppressed(e);
        }
    }

    private record Flush(KeyedValues all, List<FlushEventListener> listeners) implements FlushEventListener {

        @Override
        public void onFlush(FlushEvent event) {
            all.run(event.getSession(), true, () -> listeners.forEach(each -> each.onFlush(event)));
        }
    }

    private record AutoFlush(KeyedValues all, List<AutoFlushEventListener> listeners)
            implements AutoFlushEventListener {

        @Override
        public void onAutoFlush(AutoFlushEvent event) {
            all.run(event.getSession(), true, () -> listeners.forEach(each -> each.onAutoFlush(event)));
        }

        /** Called by Hibernate up to 7.1. It cascades to new entities, and does not flush. */
        @Override
        public void onAutoPreFlush(EventSource session) {
            all.run(session, false, () -> listeners.forEach(each -> each.onAutoPreFlush(session)));
        }
    }

    private record Persist(KeyedValues all, List<PersistEventListener> listeners) implements PersistEventListener {

        @Override
        public void onPersist(PersistEvent event) {
            all.run(event.getSession(), false, () -> listeners.forEach(each -> each.onPersist(event)));
        }

        @Override
        public void onPersist(PersistEvent event, PersistContext context) {
            all.run(event.getSession(), false, () -> listeners.forEach(each -> each.onPersist(event, context)));
        }
    }

    private record Merge(KeyedValues all, List<MergeEventListener> listeners) implements MergeEventListener {

        @Override
        public void onMerge(MergeEvent event) {
            all.run(event.getSession(), false, () -> listeners.forEach(each -> each.onMerge(event)));
        }

        @Override
        public void onMerge(MergeEvent event, MergeContext context) {
            all.run(event.getSession(), false, () -> listeners.forEach(each -> each.onMerge(event, context)));
        }
    }
}

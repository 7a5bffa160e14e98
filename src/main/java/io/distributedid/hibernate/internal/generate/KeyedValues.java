package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.generate.KeyedColumn.Key;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import java.util.ArrayList;
import java.util.Collection;
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

/**
 * The numbers per key of one SessionFactory. Stands around Hibernate's listeners for flushes, and for {@code persist()}
 * and {@code merge()}, which insert a row at once if the database makes its id. Each {@link KeyedOperation} takes the
 * numbers of its rows. A {@code StatelessSession} takes one for each row. Thread-safe.
 *
 * <p>If an operation fails that has asked for a number without gaps, the row may be missing while its number is taken,
 * and a commit would leave a gap. So the transaction can then only be rolled back, also after a lock timeout, for which
 * Hibernate lets it go on.
 */
public final class KeyedValues {

    /** By entity and property. */
    private final Map<String, Map<String, KeyedColumn>> columns = new HashMap<>();

    /** The outermost operation of each session. */
    private final Map<SharedSessionContractImplementor, KeyedOperation> current = new ConcurrentHashMap<>();

    private KeyedValues(List<MappedProperty> numbers, SessionFactoryImplementor factory) {
        for (MappedProperty number : numbers) {
            KeyedColumn column = KeyedColumn.of(number, factory);
            for (PersistentClass entity : number.owner().getSubclassClosure()) {
                columns.computeIfAbsent(entity.getEntityName(), any -> new HashMap<>())
                        .put(number.ids().path(), column);
            }
        }
    }

    /**
     * Call it when the SessionFactory is created. Fails if a property can't have numbers per key. Hibernate Reactive
     * has no numbers without gaps.
     */
    public static void open(List<MappedProperty> numbers, SessionFactoryImplementor factory) {
        UnitIds unit = UnitIds.of(factory);
        KeyedValues values = new KeyedValues(numbers, factory);
        unit.keep(KeyedValues.class, values);
        if (!unit.isReactive()) {
            values.listen(factory.getEventEngine().getListenerRegistry());
        }
    }

    private void listen(EventListenerRegistry listeners) {
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

    static KeyedValues of(SessionFactoryImplementor factory) {
        return UnitIds.of(factory)
                .kept(KeyedValues.class)
                .orElseThrow(() -> new IllegalStateException("The SessionFactory is not created yet"));
    }

    /** The properties of an entity. */
    Collection<KeyedColumn> columns(String entity) {
        return columns.getOrDefault(entity, Map.of()).values();
    }

    KeyedColumn column(String entity, String property) {
        KeyedColumn column = columns.getOrDefault(entity, Map.of()).get(property);
        if (column == null) {
            throw new IllegalStateException("The number is not known at the start: " + entity + "." + property);
        }
        return column;
    }

    /** The next number for a property of a row that is being inserted. */
    Object next(SharedSessionContractImplementor session, Object owner, String entity, String property) {
        KeyedColumn column = column(entity, property);
        Key key = column.require(owner, session);
        KeyedOperation operation = current.get(session);
        if (operation == null && column.per().gapless()) {
            throw new IdConfigurationException(
                    "Only persist(), merge() and flush() of a Session can take a number without gaps: " + column
                            + " session=" + session.getClass().getSimpleName() + ". They roll back if an insert fails."
                            + " Insert the row with persist(), or use a sequence with gaps");
        }
        return column.value(operation == null ? column.take(key, 1, session)[0] : operation.next(column, key), session);
    }

    /** As {@link #next} for one row, without waiting. Not for numbers without gaps. */
    CompletionStage<Object> nextAsync(
            SharedSessionContractImplementor session, Object owner, String entity, String property) {
        KeyedColumn column = column(entity, property);
        return column.takeLater(column.require(owner, session)).thenApply(number -> column.value(number, session));
    }

    private void run(SharedSessionContractImplementor session, boolean isFlush, Runnable work) {
        KeyedOperation outer = current.get(session);
        if (outer != null) {
            outer.run(isFlush, work);
            return;
        }
        KeyedOperation operation = new KeyedOperation(this, session);
        current.put(session, operation);
        try {
            operation.run(isFlush, () -> {
                work.run();
                operation.requireUsed();
            });
        } finally {
            current.remove(session);
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

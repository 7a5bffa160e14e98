package io.distributedid.hibernate.internal.generate;

import io.distributedid.hibernate.internal.mapping.MappedProperty;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PostInsertEvent;
import org.hibernate.event.spi.PostInsertEventListener;
import org.hibernate.event.spi.PreUpdateEvent;
import org.hibernate.event.spi.PreUpdateEventListener;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * Keeps numbers right in the updates of rows that their session has inserted:
 *
 * <ul>
 *   <li>If an entity is changed between {@code persist()} and the flush, Hibernate prepares the UPDATE before the
 *       INSERT generates the number, and would set it to NULL. So the UPDATE takes the number from the entity when it
 *       is sent.
 *   <li>After an INSERT, Hibernate keeps in its snapshot the very embedded object that it has set into the entity, and
 *       would find no changes. So the snapshot gets a copy.
 * </ul>
 */
public final class ValueUpdates implements PreUpdateEventListener, PostInsertEventListener {

    private static final long serialVersionUID = 1L;

    /** The properties that are numbers or hold some, by the name of their entity. */
    @SuppressWarnings("serial") // Of maps and sets of the JDK.
    private final Map<String, Set<String>> byEntity;

    private ValueUpdates(Map<String, Set<String>> byEntity) {
        this.byEntity = byEntity;
    }

    /** Before other listeners, which may change the entity or its row. */
    public static void register(List<MappedProperty> columns, EventListenerRegistry listeners) {
        Map<String, Set<String>> byEntity = new HashMap<>();
        for (MappedProperty column : columns) {
            if (column.isValue()) {
                String path = column.ids().path();
                int dot = path.indexOf('.');
                String property = dot < 0 ? path : path.substring(0, dot);
                for (PersistentClass entity : column.owner().getSubclassClosure()) {
                    byEntity.computeIfAbsent(entity.getEntityName(), any -> new HashSet<>())
                            .add(property);
                }
            }
        }
        if (!byEntity.isEmpty()) {
            ValueUpdates updates = new ValueUpdates(byEntity);
            listeners.prependListeners(EventType.PRE_UPDATE, updates);
            listeners.prependListeners(EventType.POST_INSERT, updates);
        }
    }

    @FunctionalInterface
    private interface Change {

        @Nullable
        Object of(int property, @Nullable Object before);
    }

    @Override
    public boolean onPreUpdate(PreUpdateEvent event) {
        EntityPersister persister = event.getPersister();
        Object entity = event.getEntity();
        change(persister, event.getState(), (property, before) -> persister.getValue(entity, property));
        return false;
    }

    @Override
    public void onPostInsert(PostInsertEvent event) {
        Type[] types = event.getPersister().getPropertyTypes();
        change(
                event.getPersister(),
                event.getState(),
                (property, before) -> types[property].deepCopy(before, event.getFactory()));
    }

    private void change(EntityPersister persister, @Nullable Object[] state, Change change) {
        Set<String> properties = byEntity.get(persister.getEntityName());
        if (properties == null) {
            return;
        }
        String[] names = persister.getPropertyNames();
        for (int i = 0; i < names.length; i++) {
            if (properties.contains(names[i])) {
                state[i] = change.of(i, state[i]);
            }
        }
    }

    /** Called by Hibernate for a listener that needs the end of the transaction. */
    @Override
    public boolean requiresPostCommitHandling(EntityPersister persister) {
        return false;
    }
}

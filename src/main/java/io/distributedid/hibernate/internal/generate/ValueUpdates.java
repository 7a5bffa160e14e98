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
import org.hibernate.mapping.PersistentClass;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.type.Type;

/**
 * After an insert, Hibernate compares the embedded objects that were generated with themselves: it keeps in its
 * snapshot the very object that it has set into the entity, and so finds no changes. This puts a copy into the
 * snapshot.
 */
public final class EmbeddedUpdates implements PostInsertEventListener {

    private static final long serialVersionUID = 1L;

    /** The embedded objects with a generated number, by the name of their entity. */
    @SuppressWarnings("serial") // Of maps and sets of the JDK.
    private final Map<String, Set<String>> embedded;

    private EmbeddedUpdates(Map<String, Set<String>> embedded) {
        this.embedded = embedded;
    }

    /** Before other listeners, which may change the entity. */
    public static void register(List<MappedProperty> columns, EventListenerRegistry listeners) {
        Map<String, Set<String>> embedded = new HashMap<>();
        for (MappedProperty column : columns) {
            String path = column.ids().path();
            int dot = path.indexOf('.');
            if (column.isValue() && dot > 0) {
                for (PersistentClass entity : column.owner().getSubclassClosure()) {
                    embedded.computeIfAbsent(entity.getEntityName(), any -> new HashSet<>())
                            .add(path.substring(0, dot));
                }
            }
        }
        if (!embedded.isEmpty()) {
            listeners.prependListeners(EventType.POST_INSERT, new EmbeddedUpdates(embedded));
        }
    }

    @Override
    public void onPostInsert(PostInsertEvent event) {
        EntityPersister persister = event.getPersister();
        Set<String> objects = embedded.get(persister.getEntityName());
        if (objects == null) {
            return;
        }
        String[] names = persister.getPropertyNames();
        Type[] types = persister.getPropertyTypes();
        Object[] state = event.getState();
        for (int i = 0; i < names.length; i++) {
            if (objects.contains(names[i])) {
                state[i] = types[i].deepCopy(state[i], event.getFactory());
            }
        }
    }

    /** Called by Hibernate for a listener that needs the end of the transaction. */
    @Override
    public boolean requiresPostCommitHandling(EntityPersister persister) {
        return false;
    }
}

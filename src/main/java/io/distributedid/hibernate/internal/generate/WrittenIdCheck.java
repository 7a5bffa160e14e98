package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.generate.PropertyIds.CurrentId;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hibernate.Session;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.spi.PreInsertEvent;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Checks our ids in the entities of one SessionFactory before their rows are written.
 *
 * <ul>
 *   <li>An insert must write the id that its entity has. From 7.2 on, {@code StatelessSession.insert} calls
 *       {@code @PrePersist} after the id is generated: an id set by the callback would be in the entity, but not in the
 *       row.
 *   <li>An entity must have an id before {@code StatelessSession.upsert}, for which Hibernate generates none: 0 would
 *       become the id of a row. Hibernate itself checks only for null, and not even that if ids may be assigned or in
 *       parts of a composite id.
 * </ul>
 */
public final class WrittenIdCheck implements PreInsertEventListener, PreUpsertEventListener {

    private static final long serialVersionUID = 1L;

    private final transient List<MappedProperty> columns;

    /** By the name of the root entity. Null until first used: at first the SessionFactory has no mappings. */
    private transient volatile @Nullable Map<String, List<CurrentId>> ids;

    private WrittenIdCheck(List<MappedProperty> columns) {
        this.columns = columns;
    }

    /** Empty if no id is ours. */
    public static Optional<WrittenIdCheck> of(List<MappedProperty> columns) {
        List<MappedProperty> ids =
                columns.stream().filter(column -> !column.isValue()).toList();
        return ids.isEmpty() ? Optional.empty() : Optional.of(new WrittenIdCheck(ids));
    }

    /** False for a {@code StatelessSession}, for which Hibernate up to 7.1 has null. */
    private static boolean isInSession(PreInsertEvent event) {
        return EventSession.of(event) instanceof Session;
    }

    @Override
    public boolean onPreInsert(PreInsertEvent event) {
        // A Session calls @PrePersist before it generates the id. This look-up would cost 5 % of a persist().
        if (isInSession(event)) {
            return false;
        }
        EntityPersister persister = event.getPersister();
        List<CurrentId> generated = ids(persister, event.getFactory());
        if (!generated.isEmpty()) {
            requireSame(generated, event, persister);
        }
        return false;
    }

    private static void requireSame(List<CurrentId> generated, PreInsertEvent event, EntityPersister persister) {
        Object entity = event.getEntity();
        // 6.6 sets the id after the insert.
        if (generated.stream().anyMatch(id -> isNone(id, id.of(entity), event.getFactory()))) {
            return;
        }
        Object id = persister.getIdentifierMapping().getIdentifier(entity);
        if (!persister.getIdentifierType().isEqual(id, event.getId())) {
            throw new IdConfigurationException("An id must not change while its entity is inserted: "
                    + generated.get(0).property() + " was generated as " + event.getId() + ", and the entity has " + id
                    + ". Do not set it in @PrePersist, which is called after it is generated; set it before, and keep"
                    + " it with @DistributedId(assigned = true)");
        }
    }

    @Override
    public boolean onPreUpsert(PreUpsertEvent event) {
        SessionFactoryImplementor factory = event.getFactory();
        ids(event.getPersister(), factory).forEach(id -> requireId(id, event.getEntity(), factory));
        return false;
    }

    private static void requireId(CurrentId id, Object entity, SessionFactoryImplementor factory) {
        Object value = id.of(entity);
        if (isNone(id, value, factory)) {
            throw new IdConfigurationException(
                    "An entity must have its id before it is given to upsert(), which generates none: " + id.property()
                            + " has " + value + ". Set it, or use insert()");
        }
    }

    private static boolean isNone(CurrentId id, @Nullable Object value, SessionFactoryImplementor factory) {
        return id.property().conversion().isNone(value, factory.getWrapperOptions());
    }

    /** The id, or our parts of a composite id; empty if none is ours. */
    private List<CurrentId> ids(EntityPersister entity, SessionFactoryImplementor factory) {
        Map<String, List<CurrentId>> known = ids;
        if (known == null) {
            known = byEntity(factory);
            ids = known;
        }
        return known.getOrDefault(entity.getRootEntityName(), List.of());
    }

    private Map<String, List<CurrentId>> byEntity(SessionFactoryImplementor factory) {
        Map<String, List<CurrentId>> found = new HashMap<>();
        for (MappedProperty column : columns) {
            found.computeIfAbsent(column.ids().entity(), entity -> new ArrayList<>())
                    .add(CurrentId.of(column.ids(), factory));
        }
        return found;
    }
}

package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.generate.PropertyIds.CurrentId;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.hibernate.Session;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PreInsertEvent;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Checks our ids and values in the entities of one SessionFactory before their rows are written.
 *
 * <ul>
 *   <li>An insert must write the id that its entity has. From 7.2 on, {@code StatelessSession.insert} calls
 *       {@code @PrePersist} after the id is generated: an id set by the callback would be in the entity, but not in the
 *       row.
 *   <li>An entity must have its id and its numbers before {@code StatelessSession.upsert}, for which Hibernate
 *       generates none, since it can't know whether the row exists: 0 would become the id of a row. Hibernate itself
 *       checks only for null, and not even that if ids may be assigned or in parts of a composite id.
 * </ul>
 */
public final class WrittenIdCheck implements PreInsertEventListener, PreUpsertEventListener {

    private static final long serialVersionUID = 1L;

    /** A property, and how it is read from an entity. */
    private record Written(MappedProperty column, UnaryOperator<@Nullable Object> current) {

        static Written of(MappedProperty column, SessionFactoryImplementor factory) {
            return new Written(
                    column,
                    column.isValue()
                            ? PropertyPath.of(
                                    factory,
                                    column.owner().getEntityName(),
                                    column.ids().path(),
                                    (name, known) -> new IllegalStateException(column.ids() + " lacks " + name))::value
                            : CurrentId.of(column.ids(), factory)::of);
        }

        boolean isIn(Object entity) {
            return column.owner().getMappedClass().isInstance(entity);
        }

        boolean isNone(@Nullable Object value, SessionFactoryImplementor factory) {
            return column.ids().conversion().isNone(value, factory.getWrapperOptions());
        }
    }

    private final transient List<MappedProperty> columns;

    /** By the name of the root entity. Null until first used: at first the SessionFactory has no mappings. */
    private transient volatile @Nullable Map<String, List<Written>> written;

    private WrittenIdCheck(List<MappedProperty> columns) {
        this.columns = columns;
    }

    /** Does nothing if no property is ours. */
    public static void register(List<MappedProperty> columns, EventListenerRegistry listeners) {
        if (!columns.isEmpty()) {
            WrittenIdCheck check = new WrittenIdCheck(columns);
            listeners.appendListeners(EventType.PRE_UPSERT, check);
            listeners.appendListeners(EventType.PRE_INSERT, check);
        }
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
        Object entity = event.getEntity();
        Written id = null;
        for (Written each : written(persister, event.getFactory())) {
            if (!each.column.isValue()) {
                // 6.6 sets the id after the insert.
                if (each.isNone(each.current.apply(entity), event.getFactory())) {
                    return false;
                }
                id = each;
            }
        }
        if (id != null) {
            requireSame(id.column, event, persister);
        }
        return false;
    }

    private static void requireSame(MappedProperty column, PreInsertEvent event, EntityPersister persister) {
        Object id = persister.getIdentifierMapping().getIdentifier(event.getEntity());
        if (!persister.getIdentifierType().isEqual(id, event.getId())) {
            throw new IdConfigurationException("An id must not change while its entity is inserted: " + column.ids()
                    + " was generated as " + event.getId() + ", and the entity has " + id
                    + ". Do not set it in @PrePersist, which is called after it is generated; set it before, and keep"
                    + " it with @DistributedId(assigned = true)");
        }
    }

    @Override
    public boolean onPreUpsert(PreUpsertEvent event) {
        Object entity = event.getEntity();
        for (Written each : written(event.getPersister(), event.getFactory())) {
            if (each.isIn(entity)) {
                Object value = each.current.apply(entity);
                if (each.isNone(value, event.getFactory())) {
                    throw missing(each.column, value);
                }
            }
        }
        return false;
    }

    private static IdConfigurationException missing(MappedProperty column, @Nullable Object value) {
        String rule = column.isValue()
                ? "An entity must have its numbers before upsert(), which generates none: "
                : "An entity must have its id before upsert(), which generates none: ";
        return new IdConfigurationException(rule + column.ids() + " has " + value + ". Set it, or use insert()"
                + (column.isValue() ? " and update()" : ""));
    }

    /** Those of a hierarchy; empty if none is ours. */
    private List<Written> written(EntityPersister entity, SessionFactoryImplementor factory) {
        Map<String, List<Written>> known = written;
        if (known == null) {
            known = columns.stream()
                    .collect(Collectors.groupingBy(
                            column -> column.owner().getRootClass().getEntityName(),
                            Collectors.mapping(column -> Written.of(column, factory), Collectors.toList())));
            written = known;
        }
        return known.getOrDefault(entity.getRootEntityName(), List.of());
    }
}

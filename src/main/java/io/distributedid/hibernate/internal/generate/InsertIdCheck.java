package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.generate.PropertyIds.CurrentId;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import java.util.List;
import java.util.Optional;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.spi.PreInsertEvent;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.persister.entity.EntityPersister;

/**
 * Refuses the insert of a row whose id is another than that of its entity. From 7.2 on {@code StatelessSession.insert}
 * calls {@code @PrePersist} after the id is generated: what the callback sets would be in the entity, and not in the
 * row.
 */
public final class InsertIdCheck implements PreInsertEventListener {

    private static final long serialVersionUID = 1L;

    private final transient IdsOfEntity ids;

    private InsertIdCheck(IdsOfEntity ids) {
        this.ids = ids;
    }

    /** Empty if there are no such ids. */
    public static Optional<InsertIdCheck> of(List<MappedProperty> columns) {
        return IdsOfEntity.among(columns).map(InsertIdCheck::new);
    }

    @Override
    public boolean onPreInsert(PreInsertEvent event) {
        EntityPersister persister = event.getPersister();
        List<CurrentId> generated = ids.of(persister, event.getFactory());
        if (!generated.isEmpty()) {
            requireSame(generated, event, persister);
        }
        return false;
    }

    private static void requireSame(List<CurrentId> generated, PreInsertEvent event, EntityPersister persister) {
        Object entity = event.getEntity();
        // 6.6 sets the id after the insert.
        if (generated.stream().anyMatch(id -> isNone(id, entity, event.getFactory()))) {
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

    private static boolean isNone(CurrentId id, Object entity, SessionFactoryImplementor factory) {
        return id.property().conversion().isNone(id.of(entity), factory.getWrapperOptions());
    }
}

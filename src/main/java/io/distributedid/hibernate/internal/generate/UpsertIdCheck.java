package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.generate.PropertyIds.CurrentId;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import java.util.List;
import java.util.Optional;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;

/**
 * Refuses {@code StatelessSession.upsert} of an entity without an id, which Hibernate does not generate there: 0 would
 * become the id of a row. Hibernate itself looks only for null, and not even for that where ids may be assigned or in
 * parts of a composite id.
 */
public final class UpsertIdCheck implements PreUpsertEventListener {

    private static final long serialVersionUID = 1L;

    private final transient IdsOfEntity ids;

    private UpsertIdCheck(IdsOfEntity ids) {
        this.ids = ids;
    }

    /** Empty if there are no such ids. */
    public static Optional<UpsertIdCheck> of(List<MappedProperty> columns) {
        return IdsOfEntity.among(columns).map(UpsertIdCheck::new);
    }

    @Override
    public boolean onPreUpsert(PreUpsertEvent event) {
        SessionFactoryImplementor factory = event.getFactory();
        ids.of(event.getPersister(), factory).forEach(id -> requireId(id, event.getEntity(), factory));
        return false;
    }

    private static void requireId(CurrentId id, Object entity, SessionFactoryImplementor factory) {
        Object value = id.of(entity);
        if (id.property().conversion().isNone(value, factory.getWrapperOptions())) {
            throw new IdConfigurationException(
                    "An entity must have its id before it is given to upsert(), which generates" + " none: "
                            + id.property() + " has " + value + ". Set it, or use insert()");
        }
    }
}

package io.distributedid.hibernate.internal.generate;

import io.distributedid.hibernate.internal.generate.PropertyIds.CurrentId;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/** The properties of ids that are ours, of an entity that a listener of one SessionFactory is shown. */
final class IdsOfEntity {

    private final List<MappedProperty> columns;

    /** By the name of the root entity. Null until first used: at first the SessionFactory has no mappings. */
    private volatile @Nullable Map<String, List<CurrentId>> ids;

    private IdsOfEntity(List<MappedProperty> columns) {
        this.columns = columns;
    }

    /** Empty if no id is ours. */
    static Optional<IdsOfEntity> among(List<MappedProperty> columns) {
        List<MappedProperty> ids =
                columns.stream().filter(column -> !column.isValue()).toList();
        return ids.isEmpty() ? Optional.empty() : Optional.of(new IdsOfEntity(ids));
    }

    /** One, or those parts of a composite id that are ours; none if the id is not. */
    List<CurrentId> of(EntityPersister entity, SessionFactoryImplementor factory) {
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

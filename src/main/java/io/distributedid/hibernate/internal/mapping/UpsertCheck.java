package io.distributedid.hibernate.internal.mapping;

import io.distributedid.IdConfigurationException;
import java.util.List;
import java.util.Optional;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.EmbeddableValuedModelPart;
import org.hibernate.metamodel.mapping.ManagedMappingType;
import org.jspecify.annotations.Nullable;

/**
 * Refuses {@code StatelessSession.upsert} of an entity without the number that an insert would generate. Hibernate
 * generates none, since it can't know whether the row exists.
 */
public final class UpsertCheck implements PreUpsertEventListener {

    private static final long serialVersionUID = 1L;

    private final transient List<MappedProperty> values;

    private UpsertCheck(List<MappedProperty> values) {
        this.values = values;
    }

    /** Empty if no property is a {@link io.distributedid.DistributedValue}. */
    public static Optional<UpsertCheck> of(List<MappedProperty> columns) {
        List<MappedProperty> values =
                columns.stream().filter(MappedProperty::isValue).toList();
        return values.isEmpty() ? Optional.empty() : Optional.of(new UpsertCheck(values));
    }

    @Override
    public boolean onPreUpsert(PreUpsertEvent event) {
        for (MappedProperty column : values) {
            if (column.owner().getMappedClass().isInstance(event.getEntity())) {
                Object value = value(column.ids().path(), event);
                if (column.ids().conversion().isNone(value, event.getFactory().getWrapperOptions())) {
                    throw new IdConfigurationException("An entity must have its numbers before it is given to upsert(),"
                            + " which generates none: " + column.ids() + " has " + value
                            + ". Set it, or use insert() and update()");
                }
            }
        }
        return false;
    }

    private static @Nullable Object value(String path, PreUpsertEvent event) {
        Object value = event.getEntity();
        ManagedMappingType type = event.getPersister();
        for (String name : path.split("\\.", -1)) {
            if (value == null || type == null) {
                return null;
            }
            AttributeMapping step = type.findAttributeMapping(name);
            value = step.getValue(value);
            type = step instanceof EmbeddableValuedModelPart embedded ? embedded.getEmbeddableTypeDescriptor() : null;
        }
        return value;
    }
}

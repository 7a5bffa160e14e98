package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.mapping.AnnotatedProperty;
import io.distributedid.hibernate.internal.mapping.IdType;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.CompositeIdentifierMapping;
import org.hibernate.metamodel.mapping.EmbeddableMappingType;
import org.hibernate.metamodel.mapping.EntityIdentifierMapping;
import org.hibernate.metamodel.mapping.NonAggregatedIdentifierMapping;
import org.jspecify.annotations.Nullable;

/** Reads what stands in an annotated property before it is given an id. */
sealed interface CurrentId {

    /** Null or what counts as no id. */
    @Nullable
    Object of(Object owner);

    /** Whether it is what Hibernate finds in an entity that is new. */
    boolean isNone(@Nullable Object value);

    AnnotatedProperty column();

    /**
     * Refuses an entity that has an id.
     *
     * @throws IdConfigurationException if it has one
     */
    default void requireNone(Object owner) {
        Object value = of(owner);
        if (!isNone(value)) {
            throw new IdConfigurationException("An entity must not have an id before it is given one: " + column()
                    + " has " + value + ". Leave it null, or keep such ids with @DistributedId(assigned = true)");
        }
    }

    static CurrentId of(AnnotatedProperty column, SessionFactoryImplementor factory) {
        EntityIdentifierMapping id = factory.getMappingMetamodel()
                .getEntityDescriptor(column.entity())
                .getIdentifierMapping();
        if (!(id instanceof CompositeIdentifierMapping composite)) {
            return new Whole(column, id);
        }
        String part = column.path().substring(column.path().lastIndexOf('.') + 1);
        boolean onEntity = id instanceof NonAggregatedIdentifierMapping;
        EmbeddableMappingType key = id instanceof NonAggregatedIdentifierMapping spread
                ? spread.getVirtualIdEmbeddable()
                : composite.getEmbeddableTypeDescriptor();
        return new Part(column, id, key.findAttributeMapping(part), onEntity);
    }

    /** Of an id of one column. */
    record Whole(AnnotatedProperty column, EntityIdentifierMapping id) implements CurrentId {

        @Override
        public @Nullable Object of(Object owner) {
            return id.getIdentifier(owner);
        }

        @Override
        public boolean isNone(@Nullable Object value) {
            return value == null || Boolean.TRUE.equals(id.getUnsavedStrategy().isUnsaved(value));
        }
    }

    /** Of a part of a composite id, which lies in an object of its own or in the entity. */
    record Part(AnnotatedProperty column, EntityIdentifierMapping id, AttributeMapping part, boolean onEntity)
            implements CurrentId {

        @Override
        public @Nullable Object of(Object owner) {
            Object holder = onEntity ? owner : id.getIdentifier(owner);
            return holder == null ? null : part.getValue(holder);
        }

        @Override
        public boolean isNone(@Nullable Object value) {
            return IdType.isNone(value);
        }
    }
}

package io.distributedid.hibernate.internal.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.BasicValuedModelPart;
import org.hibernate.metamodel.mapping.EmbeddableValuedModelPart;
import org.hibernate.metamodel.mapping.JdbcMapping;
import org.hibernate.metamodel.mapping.ManagedMappingType;
import org.hibernate.metamodel.mapping.ModelPart;
import org.hibernate.metamodel.mapping.internal.ToOneAttributeMapping;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.jspecify.annotations.Nullable;

/** The steps from an entity to one of its properties, through embedded objects. Immutable. */
record PropertyPath(List<AttributeMapping> steps) {

    /**
     * Finds the steps.
     *
     * @param path names, with dots between them
     * @param missing the failure for a name, and the names that there are
     */
    static PropertyPath of(
            SessionFactoryImplementor factory,
            String entity,
            String path,
            BiFunction<String, Set<String>, RuntimeException> missing) {
        ManagedMappingType type = factory.getMappingMetamodel().getEntityDescriptor(entity);
        List<AttributeMapping> steps = new ArrayList<>();
        for (String name : path.split("\\.", -1)) {
            AttributeMapping step = type == null ? null : type.findAttributeMapping(name);
            if (step == null) {
                Set<String> known = new TreeSet<>();
                if (type != null) {
                    type.forEachAttributeMapping(each -> known.add(each.getAttributeName()));
                }
                throw missing.apply(name, known);
            }
            steps.add(step);
            type = step instanceof EmbeddableValuedModelPart embedded ? embedded.getEmbeddableTypeDescriptor() : null;
        }
        return new PropertyPath(steps);
    }

    AttributeMapping last() {
        return steps.get(steps.size() - 1);
    }

    boolean isAssociation() {
        return last() instanceof ToOneAttributeMapping;
    }

    /**
     * How a column stores the property, or the id of its entity if it is an association; empty if no single one does.
     */
    Optional<JdbcMapping> stored() {
        ModelPart part = last() instanceof ToOneAttributeMapping one
                ? one.getAssociatedEntityMappingType().getIdentifierMapping()
                : last();
        return part instanceof BasicValuedModelPart basic ? Optional.of(basic.getJdbcMapping()) : Optional.empty();
    }

    /** The value of the property; of an association, the id of its entity, which is not loaded. */
    @Nullable
    Object value(Object owner, SharedSessionContractImplementor session) {
        Object value = value(owner);
        return value != null && last() instanceof ToOneAttributeMapping one ? id(value, one, session) : value;
    }

    /** The value of the property, as it is. */
    @Nullable
    Object value(@Nullable Object owner) {
        Object value = owner;
        for (AttributeMapping step : steps) {
            value = value == null ? null : step.getValue(value);
        }
        return value;
    }

    private static @Nullable Object id(
            Object value, ToOneAttributeMapping association, SharedSessionContractImplementor session) {
        LazyInitializer proxy = HibernateProxy.extractLazyInitializer(value);
        return proxy == null
                ? association
                        .getAssociatedEntityMappingType()
                        .getEntityPersister()
                        .getIdentifier(value, session)
                : proxy.getIdentifier();
    }
}

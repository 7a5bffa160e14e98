package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.mapping.AnnotatedProperty;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.internal.property.PerKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.BasicValuedModelPart;
import org.hibernate.metamodel.mapping.internal.ToOneAttributeMapping;
import org.jspecify.annotations.Nullable;

/**
 * A property with numbers per key, in one entity. Immutable.
 *
 * @param key the property with the key
 * @param number the property itself
 */
record KeyedColumn(AnnotatedProperty property, PerKey per, PropertyPath key, PropertyPath number) {

    static KeyedColumn of(MappedProperty column, String entity, SessionFactoryImplementor factory) {
        PerKey per = column.perKey().orElseThrow();
        return new KeyedColumn(
                column.ids(),
                per,
                path(factory, entity, per.path()),
                path(factory, entity, column.ids().path()));
    }

    private static PropertyPath path(SessionFactoryImplementor factory, String entity, String path) {
        return PropertyPath.of(
                factory,
                entity,
                List.of(path.split("\\.", -1)),
                (name, known) -> new IdConfigurationException(
                        "The entity lacks a property: " + entity + "." + path + ", allowed: " + known));
    }

    /** Whether it is the property at this path with these attributes. */
    boolean is(String path, String sequence, String perPath) {
        return property.path().equals(path)
                && property.sequence().equals(sequence)
                && per.path().equals(perPath);
    }

    /** The key of a row that is to be inserted; empty if it has none yet. */
    Optional<FlushKey> find(Object owner, SharedSessionContractImplementor session) {
        return Optional.ofNullable(key.value(owner, session))
                .map(value -> new FlushKey(property.sequence(), text(value)));
    }

    /** The key of a row that is being inserted. */
    FlushKey require(Object owner, SharedSessionContractImplementor session) {
        return find(owner, session)
                .orElseThrow(() -> new IdConfigurationException("A number needs the key of its row: " + property
                        + " per=" + per.path() + " is null. Set it before the row is inserted"));
    }

    /** Whether the key is the id of an association. */
    boolean isOfAssociation() {
        return key.last() instanceof ToOneAttributeMapping;
    }

    /** @param value of the property; of an association, the id of its entity */
    String text(Object value) {
        Object stored = mapping() instanceof BasicValuedModelPart basic
                ? basic.getJdbcMapping().convertToRelationalValue(value)
                : value;
        return String.valueOf(stored);
    }

    private @Nullable Object mapping() {
        AttributeMapping last = key.last();
        return last instanceof ToOneAttributeMapping one
                ? one.getAssociatedEntityMappingType().getIdentifierMapping()
                : last;
    }

    /**
     * The number that a row has; empty if no sequence gives it.
     *
     * @param value of the property
     */
    OptionalLong number(Object value, SharedSessionContractImplementor session) {
        return property.conversion().number(value, session);
    }

    boolean isNumbered(Object owner, SharedSessionContractImplementor session) {
        return !property.conversion().isNone(number.value(owner, session), session);
    }
}

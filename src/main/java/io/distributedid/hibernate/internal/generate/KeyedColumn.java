package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.mapping.AnnotatedProperty;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.internal.property.PerKey;
import java.util.List;
import java.util.Optional;
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
 * @param sequence that gives the numbers
 */
record KeyedColumn(
        AnnotatedProperty property, PerKey per, PropertyPath key, PropertyPath number, KeyedNumbers sequence) {

    static KeyedColumn of(MappedProperty column, String entity, SessionFactoryImplementor factory) {
        PerKey per = column.perKey().orElseThrow();
        return new KeyedColumn(
                column.ids(),
                per,
                path(factory, entity, per.path()),
                path(factory, entity, column.ids().path()),
                (KeyedNumbers) UnitIds.of(factory).ids().keyed(column.ids().sequence()));
    }

    private static PropertyPath path(SessionFactoryImplementor factory, String entity, String path) {
        return PropertyPath.of(
                factory,
                entity,
                List.of(path.split("\\.", -1)),
                (name, known) -> new IdConfigurationException(
                        "The entity lacks a property: " + entity + "." + path + ", allowed: " + known));
    }

    /** The key of a row that is to be inserted; empty if it has none yet. */
    Optional<FlushKey> find(Object owner, SharedSessionContractImplementor session) {
        return Optional.ofNullable(key.value(owner, session))
                .map(value -> new FlushKey(property.sequence(), text(value)));
    }

    /** The key of a row that is being inserted. */
    FlushKey require(Object owner, SharedSessionContractImplementor session) {
        return find(owner, session)
                .orElseThrow(() -> new IdConfigurationException(
                        "A number needs the key of its row: " + this + " is null. Set it before the row is inserted"));
    }

    /** Takes numbers of a key. They follow each other. */
    long[] take(FlushKey flushKey, int count, SharedSessionContractImplementor session) {
        try {
            if (!per.gapless()) {
                return sequence.next(flushKey.key(), count);
            }
            if (!session.isTransactionInProgress()) {
                throw new IdConfigurationException("Numbers without gaps need a transaction. Begin one, and commit it");
            }
            return session.doReturningWork(connection -> sequence.next(flushKey.key(), count, connection));
        } catch (IdConfigurationException | IllegalArgumentException e) {
            throw new IdConfigurationException(this + ": " + e.getMessage(), e);
        }
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

    boolean isNumbered(Object owner, SharedSessionContractImplementor session) {
        return !property.conversion().isNone(number.value(owner, session), session);
    }

    @Override
    public String toString() {
        return property + " per=" + per.path();
    }
}

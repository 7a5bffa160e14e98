package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.mapping.AnnotatedProperty;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.internal.property.PerKey;
import io.distributedid.internal.registry.WaitingCallers;
import java.lang.reflect.AnnotatedElement;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.hibernate.annotations.TenantId;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.metamodel.mapping.JdbcMapping;
import org.hibernate.type.descriptor.converter.spi.JpaAttributeConverter;

/**
 * A property with numbers per key. Thread-safe.
 *
 * @param key leads to the property with the key
 * @param stored how a column stores the key
 * @param sequence that gives the numbers
 * @param isInsertedAtOnce whether the database makes the id of the entity, so that Hibernate can't insert it later
 * @param waiting callers that must not wait on their threads
 */
record KeyedColumn(
        AnnotatedProperty property,
        PerKey per,
        PropertyPath key,
        JdbcMapping stored,
        KeyedNumbers sequence,
        boolean isInsertedAtOnce,
        WaitingCallers waiting) {

    private static final Set<Class<?>> TYPES =
            Set.of(Long.class, Integer.class, Short.class, Byte.class, BigInteger.class, String.class, UUID.class);

    /** A key of a sequence. In the order in which all flushes lock keys. */
    record Key(String sequence, String text) implements Comparable<Key> {

        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::sequence).thenComparing(Key::text);

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    /** Fails if the property can't have a number per key. */
    static KeyedColumn of(MappedProperty column, SessionFactoryImplementor factory) {
        AnnotatedProperty property = column.ids();
        PerKey per = column.perKey().orElseThrow();
        PropertyPath key = PropertyPath.of(
                factory,
                property.entity(),
                per.path(),
                (name, known) -> refused(
                        property,
                        per,
                        "is not a property of the entity outside its id. Allowed: " + String.join(", ", known)));
        JdbcMapping stored = key.stored()
                .filter(each -> TYPES.contains(type(each)))
                .orElseThrow(() -> refused(
                        property,
                        per,
                        "can't be a key. Allowed: a whole number, a String, a UUID, a type of your own with an"
                                + " AttributeConverter to one of them, or an association to an entity with such an"
                                + " id in one column"));
        if (per.path().equals(property.path())) {
            throw refused(property, per, "is the number itself. Name another property");
        }
        if (isGenerated(column.owner(), per.path())) {
            throw refused(
                    property,
                    per,
                    "is generated when the row is inserted, perhaps after the number. A key must be set before its"
                            + " number: name a property that the application sets");
        }
        return new KeyedColumn(
                property,
                per,
                key,
                stored,
                (KeyedNumbers) UnitIds.of(factory).ids().keyed(property.sequence()),
                factory.getMappingMetamodel()
                        .getEntityDescriptor(property.entity())
                        .isIdentifierAssignedByInsert(),
                new WaitingCallers());
    }

    private static IdConfigurationException refused(AnnotatedProperty property, PerKey per, String why) {
        return new IdConfigurationException(
                "The key of a number must be a property: " + property + " per=" + per.path() + " " + why);
    }

    private static Class<?> type(JdbcMapping stored) {
        return stored.getValueConverter() instanceof JpaAttributeConverter<?, ?> converter
                ? converter.getRelationalJavaType().getJavaTypeClass()
                : stored.getMappedJavaType().getJavaTypeClass();
    }

    /** A tenant is set before, although it has a generator: Hibernate refuses one that is not that of the session. */
    private static boolean isGenerated(PersistentClass owner, String path) {
        Property property = owner.getRecursiveProperty(path);
        return property.getValueGeneratorCreator() != null
                && !(path.indexOf('.') < 0
                        && property.getGetter(owner.getMappedClass()).getMember() instanceof AnnotatedElement member
                        && member.isAnnotationPresent(TenantId.class));
    }

    /** The key of a row that is to be inserted; empty if it has none yet. */
    Optional<Key> find(Object owner, SharedSessionContractImplementor session) {
        return Optional.ofNullable(key.value(owner, session)).map(value -> new Key(property.sequence(), text(value)));
    }

    /** The key of a row that is being inserted. */
    Key require(Object owner, SharedSessionContractImplementor session) {
        return find(owner, session)
                .orElseThrow(() -> new IdConfigurationException(
                        "A number needs the key of its row: " + this + " is null. Set it before the row is inserted"));
    }

    /** @param value of the property; of an association, the id of its entity */
    String text(Object value) {
        return String.valueOf(stored.convertToRelationalValue(value));
    }

    boolean isNumbered(Object owner, SharedSessionContractImplementor session) {
        Object number = session.getEntityPersister(null, owner).getPropertyValue(owner, property.path());
        return !property.conversion().isNone(number, session);
    }

    /** Takes numbers of a key. They follow each other. */
    long[] take(Key of, int count, SharedSessionContractImplementor session) {
        try {
            if (!per.gapless()) {
                return sequence.next(of.text(), count);
            }
            if (!session.isTransactionInProgress()) {
                throw new IdConfigurationException("Numbers without gaps need a transaction. Begin one, and commit it");
            }
            return session.doReturningWork(connection -> sequence.next(of.text(), count, connection));
        } catch (IdConfigurationException | IllegalArgumentException e) {
            throw new IdConfigurationException(this + ": " + e.getMessage(), e);
        }
    }

    /** As {@link #take} for one number, without waiting. Not for numbers without gaps. */
    CompletionStage<Long> takeLater(Key of) {
        String text = sequence.key(of.text());
        return waiting.add(() -> sequence.last(text, 1));
    }

    /** A number in the type of the property. */
    Object value(long of, SharedSessionContractImplementor session) {
        return property.conversion().convert(of, session);
    }

    @Override
    public String toString() {
        return property + " per=" + per.path();
    }
}

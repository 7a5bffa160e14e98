package io.distributedid.hibernate.internal.generate;

import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.mapping.AnnotatedProperty;
import io.distributedid.hibernate.internal.mapping.IdConversion;
import io.distributedid.internal.property.AnnotatedMembers;
import java.lang.annotation.Annotation;
import java.lang.reflect.Member;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Property;
import org.jspecify.annotations.Nullable;

/**
 * Sets a property that is no id to its number when the row is inserted; see {@link DistributedIdGenerator}.
 *
 * <p>Created by Hibernate for {@link DistributedValue}; do not use it directly. Thread-safe once initialized.
 */
public final class DistributedValueGenerator implements BeforeExecutionGenerator, AnnotationBasedGenerator<Annotation> {

    private static final long serialVersionUID = 1L;

    private transient @Nullable IdConversion conversion;

    /** By the name of the entity: Hibernate does not pass the entity of a property in an embedded object. */
    private transient @Nullable Map<String, PropertyIds> ids;

    /** Null unless each key has numbers of its own; those of the factory that asked last. */
    private transient volatile @Nullable Keyed keyed;

    private String sequence = "";

    private String property = "";

    private String per = "";

    private record Keyed(SessionFactoryImplementor factory, KeyedValues values) {}

    /** For Hibernate. */
    public DistributedValueGenerator() {}

    /** Called by Hibernate up to 7.2. */
    @Override
    public void initialize(Annotation annotation, Member member, GeneratorCreationContext context) {
        initialize((DistributedValue) annotation, member, context);
    }

    /** Called by Hibernate 7.3 and later. */
    public void initialize(Annotation annotation, GeneratorCreationContext context) {
        initialize((DistributedValue) annotation, null, context);
    }

    private void initialize(DistributedValue annotation, @Nullable Member member, GeneratorCreationContext context) {
        Property mapped = context.getProperty();
        Class<?> declared = member == null ? Object.class : AnnotatedMembers.type(member);
        property = mapped.getName();
        sequence = annotation.seq();
        per = annotation.per();
        conversion = AnnotatedProperty.conversion(
                "@DistributedValue", annotation.padded(), property, declared, mapped.getValue());
        ids = new ConcurrentHashMap<>();
    }

    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        IdConversion stored = Objects.requireNonNull(conversion);
        SessionFactoryImplementor factory = session.getFactory();
        String entity = session.getEntityPersister(null, owner).getEntityName();
        boolean isSet = currentValue != null && !stored.isNone(currentValue, session);
        if (!per.isEmpty()) {
            if (isSet) {
                throw new IdConfigurationException("A number per key must not be set before its row is inserted: "
                        + entity + "." + property + " (seq=" + sequence + ") has " + currentValue
                        + ". Leave it empty. After a rollback, empty it again");
            }
            return stored.convert(nextOfKey(session, owner, entity), session);
        }
        if (isSet) {
            return currentValue;
        }
        Map<String, PropertyIds> byEntity = Objects.requireNonNull(ids);
        PropertyIds open = byEntity.get(entity);
        if (open == null || !open.isOf(factory)) {
            open = PropertyIds.open(new AnnotatedProperty(entity, property, sequence, stored), factory);
            byEntity.put(entity, open);
        }
        return open.next(session, owner);
    }

    @SuppressWarnings("ReferenceEquality")
    private long nextOfKey(SharedSessionContractImplementor session, Object owner, String entity) {
        SessionFactoryImplementor factory = session.getFactory();
        Keyed known = keyed;
        if (known == null || known.factory != factory) {
            known = new Keyed(factory, KeyedValues.of(factory));
            keyed = known;
        }
        KeyedValues values = known.values;
        KeyedColumn column = values.of(entity).stream()
                .filter(each -> each.is(property, sequence, per))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalStateException("The number is not known at the start: " + entity + "." + property));
        return values.next(session, owner, column);
    }

    /**
     * True, so that the application may change the number. With false, Hibernate 7 would silently drop its updates, and
     * up to 7.3 omit the column from an upsert. Not called by 6.6, which writes both.
     */
    public boolean allowMutation() {
        return true;
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return EventTypeSets.INSERT_ONLY;
    }
}

package io.distributedid.hibernate.internal.generate;

import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.mapping.AnnotatedProperty;
import io.distributedid.hibernate.internal.mapping.IdConversion;
import io.distributedid.internal.property.IdMember;
import java.lang.annotation.Annotation;
import java.lang.reflect.Member;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
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
public final class DistributedValueGenerator
        implements BeforeExecutionGenerator, AnnotationBasedGenerator<Annotation>, SequenceValues {

    private static final long serialVersionUID = 1L;

    private transient @Nullable IdConversion conversion;

    /** By the name of the entity: Hibernate does not pass the entity of a property in an embedded object. */
    private transient @Nullable Map<String, PropertyIds> ids;

    private String sequence = "";

    /** Its path from the entity. */
    private String property = "";

    private String per = "";

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
        Class<?> declared = member == null ? Object.class : IdMember.type(member);
        property = EmbeddedValueGenerator.path(context);
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
        String entity = session.getEntityPersister(null, owner).getEntityName();
        if (currentValue != null && isSet(session, entity, currentValue)) {
            return currentValue;
        }
        if (!per.isEmpty()) {
            return KeyedValues.of(session.getFactory()).next(session, owner, entity, property);
        }
        return ids(entity, session.getFactory()).next(session, owner);
    }

    /** As {@link DistributedIdGenerator#generateAsync}. */
    public CompletionStage<Object> generateAsync(
            SharedSessionContractImplementor session, Object owner, @Nullable Object currentValue, Executor thread) {
        SessionFactoryImplementor factory = session.getFactory();
        String entity = session.getEntityPersister(null, owner).getEntityName();
        if (currentValue != null && isSet(session, entity, currentValue)) {
            return CompletableFuture.completedFuture(currentValue);
        }
        if (!per.isEmpty()) {
            return Later.on(thread, KeyedValues.of(factory).nextAsync(session, owner, entity, property));
        }
        return ids(entity, factory).nextAsync(session, owner, () -> thread);
    }

    private IdConversion conversion() {
        return Objects.requireNonNull(conversion);
    }

    private boolean isSet(SharedSessionContractImplementor session, String entity, Object currentValue) {
        boolean isSet = !conversion().isNone(currentValue, session);
        if (isSet && !per.isEmpty()) {
            throw new IdConfigurationException("A number per key must not be set before its row is inserted: " + entity
                    + "." + property + " (seq=" + sequence + ") has " + currentValue
                    + ". Leave it empty. After a rollback, empty it again");
        }
        return isSet;
    }

    private PropertyIds ids(String entity, SessionFactoryImplementor factory) {
        PropertyIds known = Objects.requireNonNull(ids).get(entity);
        if (known == null || !known.isOf(factory)) {
            known = PropertyIds.ofValue(new AnnotatedProperty(entity, property, sequence, conversion()), factory);
            Objects.requireNonNull(ids).put(entity, known);
        }
        return known;
    }

    /**
     * True, so that the application may change the number. With false, Hibernate 7 would silently drop its updates, and
     * up to 7.3 omit the column from an upsert. Not called by 6.6, which writes both.
     */
    public boolean allowMutation() {
        return true;
    }

    @Override
    public String toString() {
        return property + " (seq=" + sequence + ")";
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return EventTypeSets.INSERT_ONLY;
    }
}

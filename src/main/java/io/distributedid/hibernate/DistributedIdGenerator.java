package io.distributedid.hibernate;

import io.distributedid.DistributedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.spi.IdSource;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.Objects;
import org.hibernate.SessionFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.jspecify.annotations.Nullable;

/**
 * Gives an entity its id when it is persisted. Hibernate creates one for each annotated property, on 7.0 and later even two, of
 * which it drops one: it opens nothing and holds no ids, and asks the SessionFactory's {@link DistributedIdService}.
 *
 * <p>Made by Hibernate for {@link DistributedId}; not to be used directly. Thread-safe once initialized.
 */
public final class DistributedIdGenerator implements BeforeExecutionGenerator, AnnotationBasedGenerator<Annotation> {

    private static final long serialVersionUID = 1L;

    /** The ids of the SessionFactory that asked last, so that a persist() needs no look-up. */
    private record Bound(SessionFactory factory, RowIds ids) {}

    private String sequence = "";

    private String usedBy = "";

    private String entity = "";

    private IdType type = IdType.LONG;

    private transient volatile @Nullable Bound bound;

    /** For Hibernate. */
    public DistributedIdGenerator() {}

    /**
     * Called by Hibernate up to 7.2.
     *
     * @param annotation a {@link DistributedId}
     * @param member the annotated field or getter
     * @param context the mapping
     * @throws IdConfigurationException if the property's type can't hold an id
     */
    @Override
    public void initialize(Annotation annotation, Member member, GeneratorCreationContext context) {
        initialize((DistributedId) annotation, member, context);
    }

    /**
     * Called by Hibernate 7.3 and later.
     *
     * @param annotation a {@link DistributedId}
     * @param context the mapping
     * @throws IdConfigurationException if the property's type can't hold an id
     */
    public void initialize(Annotation annotation, GeneratorCreationContext context) {
        initialize((DistributedId) annotation, null, context);
    }

    private void initialize(DistributedId annotation, @Nullable Member member, GeneratorCreationContext context) {
        PersistentClass owner = context.getPersistentClass();
        entity = owner.getEntityName();
        // Part of an @IdClass: 6.6 knows the member only. Field of a generic superclass: the mapping knows the type.
        Property property = context.getProperty();
        usedBy = entity + "."
                + (property == null ? Objects.requireNonNull(member).getName() : property.getName());
        Class<?> declared = member == null ? Object.class : declaredType(member);
        Class<?> mapped = property == null ? declared : property.getType().getReturnedClass();
        type = IdType.of(declared)
                .or(() -> IdType.of(mapped))
                .orElseThrow(() -> new IdConfigurationException("A property of this type can't be a @DistributedId: "
                        + usedBy + " type=" + mapped.getName() + ", allowed: " + IdType.ALLOWED));
        sequence = annotation.seq().isEmpty() ? owner.getRootTable().getName() : annotation.seq();
    }

    private static Class<?> declaredType(Member member) {
        if (member instanceof Field field) {
            return field.getType();
        }
        return member instanceof Method getter ? getter.getReturnType() : Object.class;
    }

    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            @Nullable Object owner,
            Object currentValue,
            EventType eventType) {
        return type.convert(ids(session.getFactory()).next(session, owner));
    }

    @SuppressWarnings("ReferenceEquality")
    private RowIds ids(SessionFactoryImplementor factory) {
        Bound known = bound;
        if (known == null || known.factory != factory) {
            known = new Bound(factory, open(factory, DistributedIdService.of(factory)));
            bound = known;
        }
        return known.ids;
    }

    /**
     * Opens the sequence.
     *
     * @throws IdConfigurationException as opening does, naming entity and property
     */
    RowIds open(SessionFactoryImplementor factory, DistributedIdService service) {
        try {
            IdSource source = service.ids().sequence(sequence, type.maxValue(), usedBy);
            return RowIds.of(source, factory, service, sequence, entity);
        } catch (IdConfigurationException e) {
            throw new IdConfigurationException(usedBy + " (seq=" + sequence + "): " + e.getMessage(), e);
        }
    }

    String sequence() {
        return sequence;
    }

    boolean isNumeric() {
        return type != IdType.STRING;
    }

    long maxValue() {
        return type.maxValue();
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return EventTypeSets.INSERT_ONLY;
    }
}

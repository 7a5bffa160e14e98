package io.distributedid.hibernate;

import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Member;
import java.util.EnumSet;
import java.util.Objects;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.jspecify.annotations.Nullable;

/**
 * Gives a column that is no id its number when the row is inserted; see {@link DistributedIdGenerator}.
 *
 * <p>Made by Hibernate for {@link DistributedValue}; not to be used directly. Thread-safe once initialized.
 */
public final class DistributedValueGenerator implements BeforeExecutionGenerator, AnnotationBasedGenerator<Annotation> {

    private static final long serialVersionUID = 1L;

    private transient @Nullable IdColumn column;

    private transient @Nullable PerFactory<RowIds> ids;

    /** For Hibernate. */
    public DistributedValueGenerator() {}

    /**
     * Called by Hibernate up to 7.2.
     *
     * @param annotation a {@link DistributedValue}
     * @param member the annotated field or getter
     * @param context the mapping
     * @throws IdConfigurationException if the property's type can't hold an id
     */
    @Override
    public void initialize(Annotation annotation, Member member, GeneratorCreationContext context) {
        initialize((DistributedValue) annotation, member, context);
    }

    /**
     * Called by Hibernate 7.3 and later.
     *
     * @param annotation a {@link DistributedValue}
     * @param context the mapping
     * @throws IdConfigurationException if the property's type can't hold an id
     */
    public void initialize(Annotation annotation, GeneratorCreationContext context) {
        initialize((DistributedValue) annotation, null, context);
    }

    private void initialize(DistributedValue annotation, @Nullable Member member, GeneratorCreationContext context) {
        IdColumn initialized = IdColumn.of("@DistributedValue", annotation.seq(), member, context);
        column = initialized;
        ids = new PerFactory<>(factory -> initialized.open(factory, DistributedIdService.of(factory)));
    }

    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            @Nullable Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        if (currentValue != null && !IdType.isZero(currentValue)) {
            return currentValue;
        }
        long id = Objects.requireNonNull(ids).of(session.getFactory()).next(session, owner);
        return Objects.requireNonNull(column).conversion().convert(id, session);
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return EventTypeSets.INSERT_ONLY;
    }
}

package io.distributedid.hibernate.internal.generate;

import io.distributedid.DistributedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.mapping.AnnotatedProperty;
import io.distributedid.internal.property.MappedAnnotation;
import io.distributedid.internal.registry.WaitingCallers;
import java.lang.annotation.Annotation;
import java.lang.reflect.Member;
import java.util.EnumSet;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.id.BulkInsertionCapableIdentifierGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Gives an entity its id when it is persisted. Hibernate creates one generator for each annotated property; 7.0 and
 * later create two and drop one. So the generator opens nothing and holds no ids: it calls the SessionFactory's
 * {@link UnitIds}.
 *
 * <p>An entity that has an id is refused, unless ids may be assigned: {@code StatelessSession.insert} would overwrite
 * the id, and {@code persist} would overwrite a part of a composite id.
 *
 * <p>Created by Hibernate for {@link DistributedId}; do not use it directly. Thread-safe once initialized.
 */
public class DistributedIdGenerator
        implements BeforeExecutionGenerator,
                AnnotationBasedGenerator<Annotation>,
                BulkInsertionCapableIdentifierGenerator {

    private static final long serialVersionUID = 1L;

    private boolean assigned;

    private transient @Nullable AnnotatedProperty column;

    /** Those who wait for the opening. */
    private final transient WaitingCallers opening = new WaitingCallers();

    /** Those of the last SessionFactory that called, so that persist() needs no look-up. */
    private transient volatile @Nullable PropertyIds ids;

    /** For Hibernate. */
    public DistributedIdGenerator() {}

    /** Takes the place of a generator that Hibernate has initialized. */
    protected DistributedIdGenerator(DistributedIdGenerator initialized) {
        assigned = initialized.assigned;
        column = initialized.column;
    }

    /** Called by Hibernate up to 7.2. */
    @Override
    public void initialize(Annotation annotation, Member member, GeneratorCreationContext context) {
        initialize((DistributedId) annotation, member, context);
    }

    /** Called by Hibernate 7.3 and later. */
    public void initialize(Annotation annotation, GeneratorCreationContext context) {
        initialize((DistributedId) annotation, null, context);
    }

    private void initialize(DistributedId annotation, @Nullable Member member, GeneratorCreationContext context) {
        AnnotatedProperty initialized = AnnotatedProperty.of(
                "@DistributedId", MappedAnnotation.sequence(annotation), annotation.padded(), member, context);
        assigned = annotation.assigned();
        column = initialized;
        GeneratorCheck.note(context.getPersistentClass(), initialized);
        ids = null;
    }

    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            @Nullable Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        AnnotatedProperty property = column;
        if (property == null) {
            throw withoutAnnotation(owner == null ? "unknown" : owner.getClass().getName());
        }
        if (assigned && currentValue != null && !property.conversion().isNone(currentValue, session)) {
            return currentValue;
        }
        SessionFactoryImplementor factory = session.getFactory();
        PropertyIds open = ids;
        if (open == null || !open.isOf(factory)) {
            open = open(property, factory);
            ids = open;
        }
        return open.next(session, owner);
    }

    private PropertyIds open(AnnotatedProperty property, SessionFactoryImplementor factory) {
        return PropertyIds.openForIds(property, assigned, factory);
    }

    /**
     * As {@link #generate}, for a session that must not wait.
     *
     * @param entity null if the caller does not know it
     * @param caller gives the executor of the calling thread, for what depends on an id that is there later
     * @return the id, or the error
     */
    protected final CompletionStage<Object> generateAsync(
            SharedSessionContractImplementor session, @Nullable Object entity, Supplier<Executor> caller) {
        SessionFactoryImplementor factory = session.getFactory();
        PropertyIds open = ids;
        if (open != null && open.isOf(factory)) {
            return open.nextAsync(session, entity, caller);
        }
        Executor thread = caller.get();
        CompletionStage<PropertyIds> opened = Later.open(opening, UnitIds.of(factory), () -> {
            PropertyIds now = open(column(), factory);
            ids = now;
            return now;
        });
        return Later.on(thread, opened).thenCompose(known -> known.nextAsync(session, entity, () -> thread));
    }

    /** Fails if an assigned id can't be seen. */
    protected final void requireKnown(@Nullable Object entity) {
        if (assigned && entity == null) {
            throw new IdConfigurationException("Whether an id is assigned must be read from the entity, which this"
                    + " Hibernate Reactive does not pass from a StatelessSession: " + column()
                    + ". Use a Session, or Hibernate Reactive 3");
        }
    }

    /** False if a mapping names this class, without the annotation. */
    boolean isInitialized() {
        return column != null;
    }

    static IdConfigurationException withoutAnnotation(String entity) {
        return new IdConfigurationException("This generator needs an annotation: entity=" + entity + " generator="
                + DistributedIdGenerator.class.getName()
                + ". Put @DistributedId on the id of an entity that is mapped by"
                + " annotations, and name no generator in hbm.xml or @GenericGenerator");
    }

    private AnnotatedProperty column() {
        return Objects.requireNonNull(column);
    }

    String sequence() {
        return column().sequence();
    }

    /** If true, Hibernate passes the id that an entity has, and accepts an entity with an id as a new one. */
    @Override
    public boolean allowAssignedIdentifiers() {
        return assigned;
    }

    /**
     * Always fails. Called for an HQL {@code insert ... select}, whose rows are made in the database. The alternative,
     * an {@code OptimizableGenerator}, is no option: Hibernate up to 7.1 silently used row numbers as ids.
     */
    @Override
    public String determineBulkInsertionIdentifierGenerationSelectFragment(SqlStringGenerationContext context) {
        throw new IdConfigurationException("An HQL insert ... select can't take ids from a sequence: " + column()
                + ". Use insert ... values, or StatelessSession.insertMultiple, or select the id too");
    }

    @Override
    public String toString() {
        return String.valueOf(column);
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return EventTypeSets.INSERT_ONLY;
    }
}

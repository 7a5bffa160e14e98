package io.distributedid.hibernate.internal.generate;

import io.distributedid.DistributedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.IdMember;
import java.lang.annotation.Annotation;
import java.lang.reflect.Member;
import java.util.EnumSet;
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
 * {@link PropertyIds}.
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

    /** Empty until it is initialized. */
    private String entity = "";

    /**
     * The last step of its path, since Hibernate 7.3 and later do not tell the whole path in an {@code @EmbeddedId}.
     */
    private String name = "";

    /** Those of the last SessionFactory that called, so that persist() needs no look-up. */
    private transient volatile @Nullable PropertyIds ids;

    /** For Hibernate. */
    public DistributedIdGenerator() {}

    /** Takes the place of a generator that Hibernate has initialized. */
    protected DistributedIdGenerator(DistributedIdGenerator initialized) {
        assigned = initialized.assigned;
        entity = initialized.entity;
        name = initialized.name;
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

    /** @param member null from Hibernate 7.3 on; up to 7.2, the property of a part of an id is the whole id, or null */
    private void initialize(DistributedId annotation, @Nullable Member member, GeneratorCreationContext context) {
        assigned = annotation.assigned();
        entity = context.getPersistentClass().getEntityName();
        name = member == null ? context.getProperty().getName() : IdMember.property(member);
        GeneratorCheck.note(context.getPersistentClass(), name);
        ids = null;
    }

    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            @Nullable Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        if (!isInitialized()) {
            throw withoutAnnotation(owner == null ? "unknown" : owner.getClass().getName());
        }
        PropertyIds known = ids(session.getFactory());
        return assigned && currentValue != null && !known.isNone(currentValue, session)
                ? currentValue
                : known.next(session, owner);
    }

    private PropertyIds ids(SessionFactoryImplementor factory) {
        PropertyIds known = ids;
        if (known == null || !known.isOf(factory)) {
            known = PropertyIds.ofId(entity, name, assigned, factory);
            ids = known;
        }
        return known;
    }

    /**
     * As {@link #generate}, for a session that must not wait.
     *
     * @param owner null if the caller does not know it
     * @param caller gives the executor of the calling thread, for what depends on an id that is there later
     * @return the id, or the error
     */
    protected final CompletionStage<Object> generateAsync(
            SharedSessionContractImplementor session, @Nullable Object owner, Supplier<Executor> caller) {
        return ids(session.getFactory()).nextAsync(session, owner, caller);
    }

    /** Fails if an assigned id can't be seen. */
    protected final void requireKnown(SharedSessionContractImplementor session, @Nullable Object owner) {
        if (assigned && owner == null) {
            throw new IdConfigurationException("Whether an id is assigned must be read from the entity, which this"
                    + " version of Hibernate Reactive does not pass from a StatelessSession: "
                    + ids(session.getFactory()).property()
                    + ". Use a Session, or Hibernate Reactive 3");
        }
    }

    /** False if a mapping names this class, without the annotation. */
    boolean isInitialized() {
        return !entity.isEmpty();
    }

    static IdConfigurationException withoutAnnotation(String entity) {
        return new IdConfigurationException("This generator needs an annotation: entity=" + entity + " generator="
                + DistributedIdGenerator.class.getName()
                + ". Put @DistributedId on the id of an entity that is mapped by"
                + " annotations, and name no generator in hbm.xml or @GenericGenerator");
    }

    String sequence(SessionFactoryImplementor factory) {
        return ids(factory).property().sequence();
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
        throw new IdConfigurationException("An HQL insert ... select can't take ids from a sequence: " + this
                + ". Use insert ... values, or StatelessSession.insertMultiple, or select the id too");
    }

    @Override
    public String toString() {
        return entity + "." + name;
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return EventTypeSets.INSERT_ONLY;
    }
}

package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.mapping.AnnotatedProperty;
import io.distributedid.hibernate.internal.mapping.UnitProperties;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.internal.property.IdType;
import io.distributedid.internal.registry.WaitingCallers;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.ConnectionIdSource;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Settings;
import io.distributedid.spi.ShardedIdSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.CompositeIdentifierMapping;
import org.hibernate.metamodel.mapping.EmbeddableMappingType;
import org.hibernate.metamodel.mapping.EntityIdentifierMapping;
import org.hibernate.metamodel.mapping.NonAggregatedIdentifierMapping;
import org.jspecify.annotations.Nullable;

/**
 * The ids of one annotated property in one SessionFactory. When the sequence is opened, it is known what the id of a
 * row depends on: nothing, the row's shard, or the connection of its session. Thread-safe.
 */
public final class PropertyIds {

    @FunctionalInterface
    interface RowSource {

        /** Takes an id for an entity, or for an HQL insert, whose {@code owner} is null. */
        long next(SharedSessionContractImplementor session, @Nullable Object owner);

        /** The source of an entity's id, for another thread than that of the session. */
        default IdSource apart(SharedSessionContractImplementor session, @Nullable Object owner) {
            throw new IllegalStateException("These ids need the connection of their session");
        }
    }

    /** Ids of rows anywhere. */
    private record Anywhere(IdSource ids) implements RowSource {

        @Override
        public long next(SharedSessionContractImplementor session, @Nullable Object owner) {
            return ids.next();
        }

        @Override
        public IdSource apart(SharedSessionContractImplementor session, @Nullable Object owner) {
            return ids;
        }
    }

    /** Ids that carry the shard of their row. */
    private record OnShard(ShardedIdSource ids, RowShard row) implements RowSource {

        @Override
        public long next(SharedSessionContractImplementor session, @Nullable Object owner) {
            return ids.next(row.of(session, owner));
        }

        @Override
        public IdSource apart(SharedSessionContractImplementor session, @Nullable Object owner) {
            return ids.on(row.of(session, owner));
        }
    }

    private final SessionFactoryImplementor factory;

    private final AnnotatedProperty property;

    /** Null for a property that is no id, and for an id that Hibernate passes. */
    private final @Nullable CurrentId current;

    private final boolean assigned;

    /** Null until the sequence is opened. */
    private volatile @Nullable RowSource source;

    /** For {@link #nextAsync}. */
    private final WaitingCallers waiting = new WaitingCallers();

    private PropertyIds(
            SessionFactoryImplementor factory,
            AnnotatedProperty property,
            @Nullable CurrentId current,
            boolean assigned) {
        this.factory = factory;
        this.property = property;
        this.current = current;
        this.assigned = assigned;
    }

    /**
     * The ids of an id, or of a part of a composite id.
     *
     * @param name the last step of its path
     * @param assigned whether entities may already have an id; if not, they will be refused
     */
    static PropertyIds ofId(String entity, String name, boolean assigned, SessionFactoryImplementor factory) {
        AnnotatedProperty id = properties(factory).id(entity, name);
        // Hibernate ORM passes assigned ids itself.
        boolean isRead = !assigned || UnitIds.of(factory).isReactive();
        return new PropertyIds(factory, id, isRead ? CurrentId.of(id, factory) : null, assigned);
    }

    /** The numbers of a value, which its column does not limit yet. */
    static PropertyIds ofValue(AnnotatedProperty declared, SessionFactoryImplementor factory) {
        return new PropertyIds(factory, properties(factory).limit(declared), null, false);
    }

    private static UnitProperties properties(SessionFactoryImplementor factory) {
        return UnitIds.of(factory)
                .kept(UnitProperties.class)
                .orElseThrow(() -> new IllegalStateException("The SessionFactory is not created yet"));
    }

    /** Opens the sequence of a property, which its first id would else do. */
    public static void open(AnnotatedProperty property, SessionFactoryImplementor factory) {
        source(property, factory);
    }

    private RowSource source() {
        RowSource open = source;
        if (open == null) {
            open = source(property, factory);
            source = open;
        }
        return open;
    }

    /** Configuration errors name entity and property. */
    private static RowSource source(AnnotatedProperty property, SessionFactoryImplementor factory) {
        UnitIds unit = UnitIds.of(factory);
        if (unit.hasTenants()) {
            unit.compareWithTenants(property.sequence());
        }
        try {
            IdSource source = unit.ids()
                    .sequence(
                            property.sequence(),
                            property.conversion().maxValue(),
                            property.usedBy() + property.conversion().limit());
            RowSource ids = source(source, factory, unit, property.sequence(), property.entity());
            return unit.hasTenants() ? new TenantIds(ids, source, property.sequence(), unit) : ids;
        } catch (IdConfigurationException e) {
            throw new IdConfigurationException(property + ": " + e.getMessage(), e);
        }
    }

    private static RowSource source(
            IdSource source, SessionFactoryImplementor factory, UnitIds unit, String sequence, String entity) {
        Settings settings = unit.settings().forSequence(sequence);
        if (source instanceof ConnectionIdSource database) {
            if (unit.isReactive()) {
                throw settings.invalid(
                        CoreSettings.BACKEND,
                        settings.find(CoreSettings.BACKEND).orElse(""),
                        "any other with Hibernate Reactive, which has no JDBC connection that could take these ids");
            }
            int batch = Math.toIntExact(settings.get(CoreSettings.NEXT_ID_BATCH));
            Optional<SessionIds.Check> check = settings.find(CoreSettings.SHARD_FROM)
                    .map(from -> {
                        IdShard field = unit.ids().shard(sequence);
                        return new SessionIds.Check(RowShard.of(factory, unit, entity, settings, field), field);
                    });
            return SessionIds.of(database, batch, BlockPolicy.of(settings).maxAge(), check);
        }
        if (source instanceof ShardedIdSource sharded) {
            IdShard field = unit.ids().shard(sequence);
            return new OnShard(sharded, RowShard.of(factory, unit, entity, settings, field));
        }
        return new Anywhere(source);
    }

    @SuppressWarnings("ReferenceEquality")
    boolean isOf(SessionFactoryImplementor other) {
        return factory == other;
    }

    AnnotatedProperty property() {
        return property;
    }

    /** Whether this value means that the property has no id yet. */
    boolean isNone(@Nullable Object value, SharedSessionContractImplementor session) {
        return property.conversion().isNone(value, session);
    }

    /** Takes an id, in the type of the property. {@code owner} is null for an HQL insert. */
    Object next(SharedSessionContractImplementor session, @Nullable Object owner) {
        requireNone(owner);
        return property.conversion().convert(source().next(session, owner), session);
    }

    /**
     * As {@link #next}, for sessions on event loops, and also for an id that the application has set. An id that is in
     * memory is there at once, without stages that depend on each other. Otherwise a thread of the library waits for
     * it, or for the opening, unless the start has opened the sequence: then no server is asked.
     *
     * @param caller gives the executor of the calling thread, on which an id that is there later is converted
     */
    CompletionStage<Object> nextAsync(
            SharedSessionContractImplementor session, @Nullable Object owner, Supplier<Executor> caller) {
        Optional<Object> given = owner == null ? Optional.empty() : assigned(session, owner);
        if (given.isPresent()) {
            return CompletableFuture.completedFuture(given.get());
        }
        if (source == null && !UnitIds.of(factory).isOpenedAtStart()) {
            Executor thread = caller.get();
            CompletionStage<Long> opened = waiting.add(() -> {
                source();
                return 0;
            });
            return Later.on(thread, opened).thenCompose(any -> nextAsync(session, owner, () -> thread));
        }
        requireNone(owner);
        IdSource ids = source().apart(session, owner);
        long id = ids.tryNext();
        return id == 0
                ? Later.on(caller.get(), waiting.add(ids::next))
                        .thenApply(later -> property.conversion().convert(later, session))
                : CompletableFuture.completedFuture(property.conversion().convert(id, session));
    }

    private void requireNone(@Nullable Object owner) {
        if (current != null && !assigned && owner != null) {
            current.requireNone(owner);
        }
    }

    /** The id that the application has set, which Hibernate Reactive does not pass; empty if there is none. */
    private Optional<Object> assigned(SharedSessionContractImplementor session, Object owner) {
        return !assigned || current == null
                ? Optional.empty()
                : Optional.ofNullable(current.of(owner)).filter(id -> !isNone(id, session));
    }

    /**
     * Reads the current id of an entity.
     *
     * @param part of a composite id; null if the id has one column
     * @param onEntity whether the parts of a composite id lie in the entity, and not in a separate object
     */
    record CurrentId(
            AnnotatedProperty property,
            EntityIdentifierMapping id,
            @Nullable AttributeMapping part,
            boolean onEntity) {

        static CurrentId of(AnnotatedProperty property, SessionFactoryImplementor factory) {
            EntityIdentifierMapping id = factory.getMappingMetamodel()
                    .getEntityDescriptor(property.entity())
                    .getIdentifierMapping();
            if (!(id instanceof CompositeIdentifierMapping composite)) {
                return new CurrentId(property, id, null, false);
            }
            boolean onEntity = id instanceof NonAggregatedIdentifierMapping;
            EmbeddableMappingType key = id instanceof NonAggregatedIdentifierMapping spread
                    ? spread.getVirtualIdEmbeddable()
                    : composite.getEmbeddableTypeDescriptor();
            return new CurrentId(property, id, key.findAttributeMapping(property.name()), onEntity);
        }

        @Nullable
        Object of(Object owner) {
            if (part == null) {
                return id.getIdentifier(owner);
            }
            Object holder = onEntity ? owner : id.getIdentifier(owner);
            return holder == null ? null : part.getValue(holder);
        }

        private void requireNone(Object owner) {
            Object value = of(owner);
            if (!isNone(value)) {
                throw new IdConfigurationException("An entity must not have an id before it is given one: " + property
                        + " has " + value + ". Leave it null, or keep such ids with @DistributedId(assigned = true)");
            }
        }

        /** Whether a new entity has this value. */
        private boolean isNone(@Nullable Object value) {
            return part == null
                    ? value == null
                            || Boolean.TRUE.equals(id.getUnsavedStrategy().isUnsaved(value))
                    : IdType.isNone(value);
        }
    }
}

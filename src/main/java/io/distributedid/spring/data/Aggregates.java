package io.distributedid.spring.data;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.SequenceUse;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.internal.start.UnusedSequences;
import io.distributedid.spi.ConnectionIdSource;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Settings;
import io.distributedid.spi.ShardedIdSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/**
 * The aggregates of an application, whichever module saves them. At start it finds those that Spring Data knows: the
 * domain types of repositories and the classes with {@code @Table}. It checks their annotations and opens their
 * sequences, unless {@code distributedid.open} puts that off. Others are checked when they are saved for the first
 * time. Thread-safe.
 */
final class Aggregates implements SmartInitializingSingleton {

    private final ObjectProvider<RelationalMappingContext> contexts;

    private final ObjectProvider<DistributedIds> ids;

    private final Supplier<Settings> settings;

    private final boolean hasPersistenceUnit;

    private final Map<Class<?>, Aggregate> known = new ConcurrentHashMap<>();

    /** Null until the start, or the first save, since that of a persistence unit is made at its first use. */
    private volatile @Nullable DistributedIds bean;

    /** @param hasPersistenceUnit whether a persistence unit has the sequences that no aggregate uses */
    Aggregates(
            ObjectProvider<RelationalMappingContext> contexts,
            ObjectProvider<DistributedIds> ids,
            Supplier<Settings> settings,
            boolean hasPersistenceUnit) {
        this.contexts = contexts;
        this.ids = ids;
        this.settings = settings;
        this.hasPersistenceUnit = hasPersistenceUnit;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<RelationalPersistentEntity<?>> entities = new ArrayList<>();
        contexts.stream().forEach(context -> entities.addAll(context.getPersistentEntities()));
        entities.forEach(PropertyScan::requireNoneEmbedded);
        List<GeneratedProperty> all = entities.stream()
                .map(entity -> of(entity.getType()))
                .distinct()
                .flatMap(aggregate -> aggregate.generated().stream())
                .toList();
        if (!all.isEmpty()) {
            SequenceUse.requireOneWidth(all.stream().map(GeneratedProperty::use).toList());
            open(all);
        }
    }

    private void open(List<GeneratedProperty> all) {
        DistributedIds source = idsFor(all.get(0));
        Set<String> sequences = new TreeSet<>();
        all.forEach(each -> sequences.add(each.sequence()));
        if (!hasPersistenceUnit) {
            UnusedSequences.check(settings.get(), sequences);
        }
        all.forEach(each -> source.admin().announce(each.sequence(), each.maxValue(), each.usedBy()));
        if (settings.get().get(CoreSettings.OPEN) == CoreSettings.Opening.START) {
            source.admin().prepare(sequences);
            all.forEach(this::source);
            source.admin().prefetch(sequences);
        }
    }

    /** Fails if an annotation of the class has no effect. */
    Aggregate of(Class<?> type) {
        Aggregate found = known.get(type);
        if (found == null) {
            RelationalMappingContext context = contextOf(type);
            RelationalPersistentEntity<?> entity = context.getRequiredPersistentEntity(type);
            List<RelationalPersistentProperty> parts = StreamSupport.stream(entity.spliterator(), false)
                    .filter(property -> isGeneratedIn(property, context, new HashSet<>()))
                    .toList();
            found = new Aggregate(entity, PropertyScan.of(entity), parts);
            known.put(type, found);
        }
        return found;
    }

    private RelationalMappingContext contextOf(Class<?> type) {
        return contexts.stream()
                .filter(context -> context.hasPersistentEntityFor(type))
                .findFirst()
                .or(() -> contexts.stream().findFirst())
                .orElseThrow(() -> new IllegalStateException("There is no RelationalMappingContext bean"));
    }

    /** Whether entities below a property have generated properties. {@code seen} ends the look at trees. */
    private static boolean isGeneratedIn(
            RelationalPersistentProperty property, RelationalMappingContext context, Set<Class<?>> seen) {
        if (!property.isEntity() || property.isIdProperty() || property.isAssociation()) {
            return false;
        }
        Class<?> type = property.getActualType();
        if (!seen.add(type)) {
            return false;
        }
        RelationalPersistentEntity<?> entity = context.getRequiredPersistentEntity(type);
        return (!property.isEmbedded() && !PropertyScan.of(entity).isEmpty())
                || StreamSupport.stream(entity.spliterator(), false)
                        .anyMatch(each -> isGeneratedIn(each, context, seen));
    }

    DistributedIds idsFor(GeneratedProperty property) {
        DistributedIds found = bean;
        if (found == null) {
            found = ids.getIfUnique();
            bean = found;
        }
        if (found == null) {
            throw new IdConfigurationException("There is no DistributedIds bean for " + property
                    + ". Set distributedid.backend, or, with several persistence units, declare the bean");
        }
        return found;
    }

    /** The ids of a property; opens the sequence if necessary, and then waits for servers. */
    IdSource source(GeneratedProperty property) {
        DistributedIds open = idsFor(property);
        try {
            IdSource source = open.sequence(property.sequence(), property.maxValue(), property.usedBy());
            if (source instanceof ShardedIdSource) {
                throw new IdConfigurationException("Spring Data can't take ids that carry the shard of their row,"
                        + " allowed: ids without distributedid.shard.from, or DistributedIds.nextOnShard and"
                        + " @DistributedId(assigned = true)");
            }
            if (source instanceof ConnectionIdSource) {
                throw new IdConfigurationException("Spring Data can't take ids from the connection of their row,"
                        + " allowed: any other distributedid.backend, or the column's DEFAULT without @DistributedId");
            }
            return source;
        } catch (IdConfigurationException e) {
            throw property.named(e);
        }
    }
}

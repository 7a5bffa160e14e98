package io.distributedid.mybatisplus;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.mapper.MapperIds;
import io.distributedid.internal.property.IdProperty;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.ibatis.session.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Gives ids to entities of MyBatis-Plus with {@link IdType#ASSIGN_ID}, in place of the generator of MyBatis-Plus, which
 * guesses its worker number.
 *
 * <pre>{@code
 * class Photo {
 *     @TableId(type = IdType.ASSIGN_ID) @DistributedId(seq = "photos")
 *     Long id;
 * }
 *
 * globalConfig.setIdentifierGenerator(new DistributedIdentifierGenerator(ids));
 * }</pre>
 *
 * <p>The sequence is that of {@link DistributedId} on the {@code @TableId} property. An entity without the annotation
 * is refused, unless there is a {@linkplain #withDefaultSequence default sequence}. So are {@code IdWorker.getId()} and
 * the like, which pass no entity.
 *
 * <p>An annotated entity that already has an id is refused, unless the annotation says {@code assigned = true};
 * {@code null}, 0 and an empty text count as no id. Thread-safe.
 */
public final class DistributedIdentifierGenerator implements IdentifierGenerator {

    private final MapperIds ids;

    private final @Nullable String defaultSequence;

    /** Of the entities that were inserted. */
    private final Map<Class<?>, Key> keys = new ConcurrentHashMap<>();

    /** @param ids the caller closes it after the last statement */
    public DistributedIdentifierGenerator(DistributedIds ids) {
        this(new MapperIds(ids), null);
    }

    private DistributedIdentifierGenerator(MapperIds ids, @Nullable String defaultSequence) {
        this.ids = ids;
        this.defaultSequence = defaultSequence;
    }

    /**
     * Returns a generator that gives entities without {@link DistributedId} the ids of one sequence. Such entities keep
     * an id that they have, as with the generator of MyBatis-Plus.
     *
     * @param sequence its name
     * @return another generator, on the same {@link DistributedIds}
     */
    public DistributedIdentifierGenerator withDefaultSequence(String sequence) {
        return new DistributedIdentifierGenerator(ids, sequence);
    }

    /**
     * Checks all entities of a configuration that use this generator or have {@link DistributedId}, and opens their
     * sequences. Without this call, an entity is checked when it is first inserted. Call this method when all mappers
     * are added.
     *
     * @param configuration with the mappers
     * @throws IdConfigurationException if an entity or a sequence is configured wrongly
     */
    public void check(Configuration configuration) {
        Set<MapperIds.Place> places = new LinkedHashSet<>();
        Set<String> mappers = configuration.getMapperRegistry().getMappers().stream()
                .map(Class::getName)
                .collect(Collectors.toSet());
        for (TableInfo table : TableInfoHelper.getTableInfos()) {
            if (mappers.contains(table.getCurrentNamespace())) {
                Optional<IdProperty> annotated = IdProperty.of(table.getEntityType());
                if (annotated.isPresent() || table.getIdType() == IdType.ASSIGN_ID) {
                    places.add(Key.of(table.getEntityType(), table, defaultSequence)
                            .place());
                }
            }
        }
        ids.open(places);
    }

    /** Always true: only {@link #nextId} gets the entity, and knows whether its id may be kept. */
    @Override
    public boolean assignId(@Nullable Object idValue) {
        return true;
    }

    /**
     * Called by MyBatis-Plus for each entity that it inserts, and by {@code IdWorker} without one.
     *
     * @throws IdConfigurationException if the entity has no sequence, or an id that it must not have
     */
    @Override
    public Number nextId(@Nullable Object entity) {
        Class<?> type = entity == null ? Object.class : entity.getClass();
        TableInfo table = TableInfoHelper.getTableInfo(type);
        Key key = key(type, table);
        Object current = table == null ? null : table.getPropertyValue(entity, table.getKeyProperty());
        return key.needsId(current) ? key.number(ids.next(key.place())) : IdNumber.of(Objects.requireNonNull(current));
    }

    /** MyBatis-Plus replaces the table of a class that another configuration uses too. */
    @SuppressWarnings("ReferenceEquality")
    private Key key(Class<?> type, @Nullable TableInfo table) {
        Key known = keys.get(type);
        if (known == null || known.table() != table) {
            known = Key.of(type, table, defaultSequence);
            keys.put(type, known);
        }
        return known;
    }

    /** Not from a sequence. Refused for entities with {@link DistributedId}. */
    @Override
    public String nextUUID(@Nullable Object entity) {
        if (entity != null) {
            IdProperty.of(entity.getClass()).ifPresent(Key::refuseOtherType);
        }
        return IdentifierGenerator.super.nextUUID(entity);
    }
}

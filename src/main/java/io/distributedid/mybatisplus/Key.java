package io.distributedid.mybatisplus;

import static com.baomidou.mybatisplus.annotation.IdType.ASSIGN_ID;

import com.baomidou.mybatisplus.core.metadata.TableInfo;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.mapper.MapperIds;
import io.distributedid.internal.property.IdProperty;
import io.distributedid.internal.property.IdType;
import org.jspecify.annotations.Nullable;

/**
 * The id of an entity.
 *
 * @param annotated null if the entity has no annotation, and its ids come from the default sequence
 * @param table null if the class is no entity
 */
record Key(
        MapperIds.Place place,
        @Nullable IdProperty annotated,
        @Nullable TableInfo table) {

    /** @param table null if the class is no entity */
    static Key of(Class<?> entity, @Nullable TableInfo table, @Nullable String defaultSequence) {
        IdProperty annotated = IdProperty.of(entity).orElse(null);
        if (annotated == null) {
            return new Key(placeOf(entity, table, defaultSequence), null, table);
        }
        if (table != null && !annotated.name().equals(table.getKeyProperty())) {
            throw new IdConfigurationException("@DistributedId must be on the key of the table: " + annotated
                    + ", the key is " + table.getKeyProperty() + ". Put it and @TableId on the same property");
        }
        if (table != null && table.getIdType() != ASSIGN_ID) {
            refuseOtherType(annotated);
        }
        return new Key(MapperIds.Place.of(annotated), annotated, table);
    }

    @SuppressWarnings("DoNotCallSuggester")
    static void refuseOtherType(IdProperty annotated) {
        throw new IdConfigurationException(
                "MyBatis-Plus must ask for the id: " + annotated + " needs @TableId(type = IdType.ASSIGN_ID)");
    }

    private static MapperIds.Place placeOf(
            Class<?> entity, @Nullable TableInfo table, @Nullable String defaultSequence) {
        if (defaultSequence == null) {
            throw new IdConfigurationException("An entity must name its sequence: entity=" + entity.getName()
                    + ". Put @DistributedId(seq = \"photos\") on its @TableId property, or name a sequence for all"
                    + " entities without it: DistributedIdentifierGenerator.withDefaultSequence");
        }
        Class<?> type = table == null ? Long.class : table.getKeyType();
        String name = entity.getName() + (table == null ? "" : "." + table.getKeyProperty());
        return IdType.of(type)
                .map(known -> new MapperIds.Place(defaultSequence, known.maxValue(), name))
                .orElseThrow(() -> IdType.refused("@TableId", name, type));
    }

    boolean needsId(@Nullable Object current) {
        return annotated == null ? IdType.isNone(current) : annotated.needsId(current);
    }

    Number number(long id) {
        return annotated == null ? id : IdNumber.of(annotated.convert(id));
    }
}

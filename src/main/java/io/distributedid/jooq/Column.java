package io.distributedid.jooq;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.mapper.MapperIds;
import io.distributedid.internal.property.IdType;
import java.util.function.LongFunction;
import org.jooq.Converter;
import org.jooq.Table;
import org.jooq.TableField;
import org.jooq.TableRecord;
import org.jooq.types.UInteger;
import org.jooq.types.ULong;
import org.jspecify.annotations.Nullable;

/** The column of a table that gets ids. */
record Column<T>(
        TableField<?, T> field, MapperIds.Place place, LongFunction<@Nullable T> conversion, boolean isAssigned) {

    static <T> Column<T> of(Table<?> table, TableField<?, T> field, String sequence) {
        if (!table.equals(field.getTable())) {
            throw new IdConfigurationException("The id must be a column of the table: table=" + table.getQualifiedName()
                    + " id=" + field.getQualifiedName());
        }
        return of(field, field.getConverter(), sequence);
    }

    private static <D, T> Column<T> of(TableField<?, T> field, Converter<D, T> converter, String sequence) {
        Class<D> stored = converter.fromType();
        String name = field.getQualifiedName() + " (seq=" + sequence + ")";
        if (stored == ULong.class) {
            return of(field, new MapperIds.Place(sequence, Long.MAX_VALUE, name), ULong::valueOf, converter);
        }
        if (stored == UInteger.class) {
            return of(field, new MapperIds.Place(sequence, UInteger.MAX_VALUE, name), UInteger::valueOf, converter);
        }
        IdType type = IdType.of(stored)
                .orElseThrow(() -> new IdConfigurationException("A column of this type can't hold an id: " + name
                        + " type=" + stored.getName() + ", allowed: " + IdType.ALLOWED + ", ULong, UInteger"));
        return of(field, new MapperIds.Place(sequence, type.maxValue(), name), type::convert, converter);
    }

    private static <D, T> Column<T> of(
            TableField<?, T> field, MapperIds.Place place, LongFunction<Object> conversion, Converter<D, T> converter) {
        return new Column<>(
                field, place, id -> converter.from(converter.fromType().cast(conversion.apply(id))), false);
    }

    Column<T> keepingAssigned() {
        return new Column<>(field, place, conversion, true);
    }

    private boolean hasNone(TableRecord<?> record) {
        return IdType.isNone(stored(record, field.getConverter()));
    }

    private <D> @Nullable D stored(TableRecord<?> record, Converter<D, T> converter) {
        return converter.to(record.get(field));
    }

    /** Fails if the record has an id that it must not have. */
    boolean needsId(TableRecord<?> record) {
        if (hasNone(record)) {
            return true;
        }
        if (!isAssigned) {
            throw new IdConfigurationException("A record must not have an id before it is given one: " + this + " has "
                    + record.get(field) + ". Leave it null, or keep such ids with"
                    + " DistributedIdRecordListener.assigned(table)");
        }
        return false;
    }

    /** Fails if the record has none. */
    void requireId(TableRecord<?> record) {
        if (hasNone(record)) {
            throw new IdConfigurationException("A record must have an id to be merged, which finds a row by its id: "
                    + this + ". Insert it with insert() or store(), or set its id before, with"
                    + " DistributedIds.next(\"" + place.sequence() + "\")");
        }
    }

    void set(TableRecord<?> record, long id) {
        record.set(field, conversion.apply(id));
    }

    @Override
    public String toString() {
        return place.name();
    }
}

package io.distributedid.hibernate.internal.mapping;

import io.distributedid.internal.property.IdFormat;
import io.distributedid.internal.property.IdType;
import io.distributedid.internal.property.StoredNumbers;
import io.distributedid.internal.property.Width;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import org.hibernate.type.BasicType;
import org.hibernate.type.SqlTypes;
import org.hibernate.type.Type;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.converter.spi.JpaAttributeConverter;
import org.hibernate.type.descriptor.java.JavaType;
import org.jspecify.annotations.Nullable;

/**
 * Converts an id to the type of a property: one of the {@linkplain IdType basic types}, or a type of the application
 * whose {@code AttributeConverter} or {@code JavaType} maps it to one of these.
 */
public final class IdConversion {

    private final IdFormat format;

    private final Wrapping wrapping;

    private final boolean numeric;

    private final boolean primitive;

    private final Optional<ColumnWriter> writer;

    /** Converts between the basic type and the type of the application. */
    private record Wrapping(
            BiFunction<Object, WrapperOptions, Object> wrap,
            BiFunction<Object, WrapperOptions, @Nullable Object> unwrap) {

        private static final Wrapping NONE = new Wrapping((id, options) -> id, (id, options) -> id);
    }

    private IdConversion(
            IdFormat format, Wrapping wrapping, boolean numeric, boolean primitive, Optional<ColumnWriter> writer) {
        this.format = format;
        this.wrapping = wrapping;
        this.numeric = numeric;
        this.primitive = primitive;
        this.writer = writer;
    }

    /** For a column of this length. Fails if a padded id is no text, or too long. */
    IdConversion in(OptionalInt columnLength, boolean isPadded, String property) {
        boolean isText = format.type() == IdType.STRING && !numeric;
        return with(format.in(columnLength, isText, isPadded, property));
    }

    /** Limited to ids that also fit another place. */
    IdConversion within(Width other) {
        return with(format.within(other));
    }

    private IdConversion with(IdFormat other) {
        return new IdConversion(other, wrapping, numeric, primitive, writer);
    }

    /** Whose column is written by this, if it is present. */
    IdConversion writtenBy(Optional<ColumnWriter> other) {
        return new IdConversion(format, wrapping, numeric, primitive, other.or(() -> writer));
    }

    /** Empty if the property can't hold an id. {@code mapped} is null if Hibernate has not mapped it yet. */
    static Optional<IdConversion> of(Class<?> declared, @Nullable Type mapped) {
        return unlimited(declared, mapped)
                .map(conversion ->
                        mapped instanceof BasicType<?> basic ? conversion.within(JdbcWidth.of(basic)) : conversion);
    }

    private static Optional<IdConversion> unlimited(Class<?> declared, @Nullable Type mapped) {
        boolean numeric =
                mapped instanceof BasicType<?> basic && basic.getJdbcType().isNumber();
        Optional<IdType> plain =
                IdType.of(declared).or(() -> mapped == null ? Optional.empty() : IdType.of(mapped.getReturnedClass()));
        if (plain.isPresent()) {
            return Optional.of(new IdConversion(
                    IdFormat.of(plain.get()), Wrapping.NONE, numeric, declared.isPrimitive(), ColumnWriter.of(mapped)));
        }
        return mapped instanceof BasicType<?> basic ? wrapped(basic, numeric) : Optional.empty();
    }

    private static <T> Optional<IdConversion> wrapped(BasicType<T> basic, boolean numeric) {
        if (basic.getValueConverter() instanceof JpaAttributeConverter<?, ?> converter) {
            return wrapped(converter, numeric);
        }
        JavaType<T> javaType = basic.getJavaTypeDescriptor();
        // Hibernate's own Java types are for dates, currencies and the like, not for ids.
        if (basic.getValueConverter() != null || javaType.getClass().getName().startsWith("org.hibernate.")) {
            return Optional.empty();
        }
        return stored(basic.getJdbcType().getDefaultSqlTypeCode())
                .map(type -> new IdConversion(
                        IdFormat.of(type), wrapping(javaType, type), numeric, false, Optional.empty()));
    }

    private static <T> Wrapping wrapping(JavaType<T> javaType, IdType type) {
        return new Wrapping(
                (id, options) -> javaType.wrap(id, options),
                (value, options) -> javaType.unwrap(javaType.getJavaTypeClass().cast(value), type.javaType(), options));
    }

    private static <T, R> Optional<IdConversion> wrapped(JpaAttributeConverter<T, R> converter, boolean numeric) {
        Class<R> relational = converter.getRelationalJavaType().getJavaTypeClass();
        Class<T> domain = converter.getDomainJavaType().getJavaTypeClass();
        return IdType.of(relational)
                .map(type -> new IdConversion(
                        IdFormat.of(type),
                        new Wrapping(
                                (id, options) -> converter.toDomainValue(relational.cast(id)),
                                (value, options) -> converter.toRelationalValue(domain.cast(value))),
                        numeric,
                        false,
                        Optional.of(ColumnWriter.roundTrip(converter))));
    }

    private static Optional<IdType> stored(int sqlType) {
        return Optional.ofNullable(
                switch (sqlType) {
                    case SqlTypes.BIGINT -> IdType.LONG;
                    case SqlTypes.INTEGER -> IdType.INTEGER;
                    case SqlTypes.NUMERIC, SqlTypes.DECIMAL -> IdType.BIG_DECIMAL;
                    case SqlTypes.VARCHAR, SqlTypes.CHAR -> IdType.STRING;
                    default -> null;
                });
    }

    /** The id in the property's type. Throws {@link io.distributedid.IdsExhaustedException} if it does not fit. */
    public Object convert(long id, WrapperOptions options) {
        return wrapping.wrap.apply(format.convert(id), options);
    }

    /** Whether this value means that the property has no id yet. */
    public boolean isNone(@Nullable Object value, WrapperOptions options) {
        return value == null || IdType.isNone(wrapping.unwrap.apply(value, options));
    }

    /** Whether something of the application writes the column, which may write other values than the numbers. */
    public boolean hasWriter() {
        return writer.isPresent();
    }

    /**
     * What writes other values than the numbers to the column, for messages; empty if SQL can compare them. Calls the
     * converter of the application.
     */
    public Optional<String> rewrittenBy() {
        return writer.filter(each -> !each.writesNumbers(format)).map(ColumnWriter::name);
    }

    /** What the application has for writing the column, for messages; empty if Hibernate writes the numbers. */
    @SuppressWarnings("ReferenceEquality")
    Optional<String> applicationType() {
        return writer.map(ColumnWriter::name)
                .or(() -> wrapping == Wrapping.NONE ? Optional.empty() : Optional.of("a JavaType"));
    }

    /** How the column holds the numbers, if nothing of the application writes them. */
    public StoredNumbers stored() {
        return numeric ? StoredNumbers.NUMBERS : StoredNumbers.DIGITS;
    }

    Width width() {
        return format.width();
    }

    public long maxValue() {
        return format.width().maxValue();
    }

    /** What limits the ids, for messages; empty if it is the type. */
    public String limit() {
        return format.limit();
    }

    public boolean isPadded() {
        return format.padded();
    }

    /** Whether 0 means "no id". */
    boolean isPrimitive() {
        return primitive;
    }
}

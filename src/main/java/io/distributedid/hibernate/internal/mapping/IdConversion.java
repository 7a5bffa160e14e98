package io.distributedid.hibernate.internal.mapping;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
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

    /** The digits of the largest id. */
    private static final int DIGITS = 19;

    private final IdType type;

    private final Wrapping wrapping;

    private final boolean numeric;

    private final boolean primitive;

    private final boolean padded;

    /** The largest id that the type, the column, and a converter or JDBC type between them hold. */
    private final Width width;

    /** Converts between the basic type and the type of the application. */
    private record Wrapping(
            BiFunction<Object, WrapperOptions, Object> wrap,
            BiFunction<Object, WrapperOptions, @Nullable Object> unwrap) {

        private static final Wrapping NONE = new Wrapping((id, options) -> id, (id, options) -> id);
    }

    private IdConversion(IdType type, Wrapping wrapping, boolean numeric, boolean primitive) {
        this(type, wrapping, numeric, primitive, false, new Width(type.maxValue(), ""));
    }

    private IdConversion(
            IdType type, Wrapping wrapping, boolean numeric, boolean primitive, boolean padded, Width width) {
        this.type = type;
        this.wrapping = wrapping;
        this.numeric = numeric;
        this.primitive = primitive;
        this.padded = padded;
        this.width = width;
    }

    /** For a column of this length. Fails if a padded id is no text, or too long. */
    IdConversion in(OptionalInt columnLength, boolean isPadded, String property) {
        boolean isText = type == IdType.STRING && !numeric;
        if (isPadded && !isText) {
            throw new IdConfigurationException(
                    "Only a text can be padded: " + property + " holds numbers, allowed: padded = true on a String");
        }
        if (isPadded && columnLength.orElse(DIGITS) < DIGITS) {
            throw new IdConfigurationException("A padded id has " + DIGITS + " digits: " + property + " length="
                    + columnLength.getAsInt() + ", allowed: " + DIGITS + " or more");
        }
        if (!isText) {
            return this;
        }
        IdConversion text = new IdConversion(type, wrapping, false, primitive, isPadded, width);
        int digits = columnLength.orElse(DIGITS);
        return text.within(Width.ofDigits(digits, digits + " characters"));
    }

    /** Limited to ids that also fit another place. */
    IdConversion within(Width other) {
        return other.maxValue() < width.maxValue()
                ? new IdConversion(type, wrapping, numeric, primitive, padded, other)
                : this;
    }

    /** Empty if the property can't hold an id. {@code mapped} is null if Hibernate has not mapped it yet. */
    static Optional<IdConversion> of(Class<?> declared, @Nullable Type mapped) {
        return unlimited(declared, mapped)
                .map(conversion ->
                        mapped instanceof BasicType<?> basic ? conversion.within(Width.of(basic)) : conversion);
    }

    private static Optional<IdConversion> unlimited(Class<?> declared, @Nullable Type mapped) {
        boolean numeric =
                mapped instanceof BasicType<?> basic && basic.getJdbcType().isNumber();
        Optional<IdType> plain =
                IdType.of(declared).or(() -> mapped == null ? Optional.empty() : IdType.of(mapped.getReturnedClass()));
        if (plain.isPresent()) {
            return Optional.of(new IdConversion(plain.get(), Wrapping.NONE, numeric, declared.isPrimitive()));
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
                .map(type -> new IdConversion(type, wrapping(javaType, type), numeric, false));
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
                        type,
                        new Wrapping(
                                (id, options) -> converter.toDomainValue(relational.cast(id)),
                                (value, options) -> converter.toRelationalValue(domain.cast(value))),
                        numeric,
                        false));
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

    /** The id in the property's type. Throws {@link IdsExhaustedException} if it does not fit. */
    public Object convert(long id, WrapperOptions options) {
        if (id > width.maxValue()) {
            throw new IdsExhaustedException("An id does not fit its property: id=" + id + limit() + ", allowed: up to "
                    + width.maxValue() + ". Map the property to a wider type");
        }
        return wrapping.wrap.apply(padded ? pad(Long.toString(id)) : type.convert(id), options);
    }

    /** Whether this value means that the property has no id yet. */
    public boolean isNone(@Nullable Object value, WrapperOptions options) {
        return value == null || IdType.isNone(wrapping.unwrap.apply(value, options));
    }

    private static String pad(String digits) {
        return "0".repeat(DIGITS - digits.length()) + digits;
    }

    public long maxValue() {
        return width.maxValue();
    }

    /** What limits the ids, for messages; empty if it is the type. */
    public String limit() {
        return width.limit().isEmpty() ? "" : ", " + width.limit();
    }

    public boolean isPadded() {
        return padded;
    }

    /** Whether 0 means "no id". */
    boolean isPrimitive() {
        return primitive;
    }
}

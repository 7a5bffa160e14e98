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
 * How a property holds an id: as one of the {@linkplain IdType types} that do so by themselves, or in a type of the
 * application, which its {@code AttributeConverter} or its {@code JavaType} makes of one of those.
 */
public final class IdConversion {

    /** Of the largest id. */
    private static final int DIGITS = 19;

    private final IdType type;

    private final Wrapping wrapping;

    private final boolean numeric;

    private final boolean primitive;

    private final boolean padded;

    /** The largest id that the type, the column and what lies between them hold. */
    private final Width width;

    /** Between the type that holds an id by itself and that of the application. */
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

    /**
     * As its annotation and its column say.
     *
     * @param property for messages
     * @throws IdConfigurationException if there is no text to be padded, or no room for it
     */
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

    /** The same, for ids that also fit another place. */
    IdConversion within(Width other) {
        return other.maxValue() < width.maxValue()
                ? new IdConversion(type, wrapping, numeric, primitive, padded, other)
                : this;
    }

    /**
     * Of a property.
     *
     * @param declared the type of its field or getter, as far as it is known
     * @param mapped what Hibernate made of it; null if that is not known
     * @return empty if it can't hold an id
     */
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
        // Hibernate's own types hold dates, currencies and the like, which are no ids.
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

    /**
     * The id as the property has it.
     *
     * @throws IdsExhaustedException if it does not fit, so that a backend which gives such an id stores none
     */
    public Object convert(long id, WrapperOptions options) {
        if (id > width.maxValue()) {
            throw new IdsExhaustedException("An id does not fit its property: id=" + id + limit() + ", allowed: up to "
                    + width.maxValue() + ". Map the property to a wider type");
        }
        return wrapping.wrap.apply(padded ? pad(Long.toString(id)) : type.convert(id), options);
    }

    /** Whether a property with this value has no id yet. */
    public boolean isNone(@Nullable Object value, WrapperOptions options) {
        return value == null || IdType.isNone(wrapping.unwrap.apply(value, options));
    }

    private static String pad(String digits) {
        return "0".repeat(DIGITS - digits.length()) + digits;
    }

    /** The largest id that the property holds. */
    public long maxValue() {
        return width.maxValue();
    }

    /** For messages: what limits the ids, if it is not the type. */
    public String limit() {
        return width.limit().isEmpty() ? "" : ", " + width.limit();
    }

    /** Whether a text has all digits. */
    public boolean isPadded() {
        return padded;
    }

    /** Whether no id and the number 0 look the same. */
    boolean isPrimitive() {
        return primitive;
    }
}

package io.distributedid.hibernate.internal.mapping;

import io.distributedid.internal.property.IdFormat;
import io.distributedid.internal.property.IdType;
import io.distributedid.internal.property.StoredNumbers;
import io.distributedid.internal.property.Width;
import java.util.Optional;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.Value;
import org.hibernate.type.BasicType;
import org.hibernate.type.CustomType;
import org.hibernate.type.SqlTypes;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.converter.spi.JpaAttributeConverter;
import org.hibernate.type.descriptor.java.JavaType;
import org.jspecify.annotations.Nullable;

/**
 * Converts an id to the type of a property: one of the {@linkplain IdType basic types}, or a type of the application
 * whose {@code AttributeConverter} or {@code JavaType} maps it to one of these.
 *
 * @param type as Hibernate maps the property
 * @param isWrapped whether the property has a type of the application
 * @param writer what the application has for writing the column, for messages: a converter, a type, or an expression of
 *     SQL; it may make other values of the numbers, such as -17 or INV-17
 */
public record IdConversion(IdFormat format, BasicType<?> type, boolean isWrapped, Optional<String> writer) {

    private static final String CONVERTER = "an AttributeConverter";

    private static final String JAVA_TYPE = "a JavaType";

    /** Of any length, with digits that other bases, groups and leading zeros change. */
    private static final long[] SAMPLES = {
        1, 9, 10, 17, 255, 1_000, 99_999, 1_234_567, Integer.MAX_VALUE, 1L << 40, 1L << 53, Long.MAX_VALUE
    };

    /** Empty if the property can't hold an id. */
    static Optional<IdConversion> of(Class<?> declared, Value value) {
        if (!(value.getType() instanceof BasicType<?> type)) {
            return Optional.empty();
        }
        Optional<IdType> plain = IdType.of(declared).or(() -> IdType.of(type.getReturnedClass()));
        return plain.or(() -> wrapped(type))
                .map(basic -> new IdConversion(
                        IdFormat.of(basic).within(ColumnWidths.of(type)),
                        type,
                        plain.isEmpty(),
                        writer(value, type, plain.isPresent())));
    }

    /** The basic type that is stored for a type of the application. */
    private static Optional<IdType> wrapped(BasicType<?> type) {
        if (type.getValueConverter() instanceof JpaAttributeConverter<?, ?> converter) {
            return IdType.of(converter.getRelationalJavaType().getJavaTypeClass());
        }
        return type.getValueConverter() == null && isOfApplication(type.getJavaTypeDescriptor())
                ? stored(type.getJdbcType().getDefaultSqlTypeCode())
                : Optional.empty();
    }

    /** Hibernate's own Java types, except those of basic types, are for dates, currencies and the like, not for ids. */
    private static boolean isOfApplication(JavaType<?> javaType) {
        return !javaType.getClass().getName().startsWith("org.hibernate.");
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

    private static Optional<String> writer(Value value, BasicType<?> type, boolean isPlain) {
        if (value.getColumns().size() == 1 && isExpression(value.getColumns().get(0))) {
            return Optional.of("@ColumnTransformer(write)");
        }
        if (type.getValueConverter() != null) {
            return Optional.of(CONVERTER);
        }
        if (isPlain && type instanceof CustomType) {
            return Optional.of("a UserType");
        }
        return isPlain && isOfApplication(type.getJavaTypeDescriptor()) ? Optional.of(JAVA_TYPE) : Optional.empty();
    }

    private static boolean isExpression(Column column) {
        String write = column.getCustomWriteExpression();
        return write != null && !write.strip().equals("?");
    }

    /** For a column of this width. Fails if a padded id is no text, or too long. */
    IdConversion in(Width column, boolean isPadded, String property) {
        boolean isText = format.type() == IdType.STRING && stored() == StoredNumbers.DIGITS;
        return new IdConversion(format.in(column, isText, isPadded, property), type, isWrapped, writer);
    }

    /** Limited to ids that also fit another place. */
    IdConversion within(Width other) {
        return new IdConversion(format.within(other), type, isWrapped, writer);
    }

    /** The id in the property's type. Throws {@link io.distributedid.IdsExhaustedException} if it does not fit. */
    public Object convert(long id, WrapperOptions options) {
        Object basic = format.convert(id);
        if (!isWrapped) {
            return basic;
        }
        return type.getValueConverter() == null
                ? type.getJavaTypeDescriptor().wrap(basic, options)
                : type.convertToDomainValue(basic);
    }

    /** Whether this value means that the property has no id yet. */
    public boolean isNone(@Nullable Object value, WrapperOptions options) {
        return value == null || IdType.isNone(isWrapped ? unwrapped(value, options) : value);
    }

    private @Nullable Object unwrapped(Object value, WrapperOptions options) {
        return type.getValueConverter() == null
                ? unwrapped(type.getJavaTypeDescriptor(), value, options)
                : type.convertToRelationalValue(value);
    }

    private <T> @Nullable Object unwrapped(JavaType<T> javaType, Object value, WrapperOptions options) {
        return javaType.unwrap(
                javaType.getJavaTypeClass().cast(value), format.type().javaType(), options);
    }

    /**
     * What writes other values than the numbers to the column, for messages; empty if SQL can compare them. Calls the
     * converter of the application.
     */
    public Optional<String> rewrittenBy() {
        return writer.filter(each -> !each.equals(CONVERTER) || !writesNumbers());
    }

    /** Whether the converter writes the numbers as they are, or as their digits. Nothing else can be asked. */
    private boolean writesNumbers() {
        boolean isAnyWritten = false;
        for (long number : SAMPLES) {
            if (number <= maxValue()) {
                Object given = format.convert(number);
                try {
                    Object domain = isWrapped ? type.convertToDomainValue(given) : given;
                    if (!isSame(given, type.convertToRelationalValue(domain))) {
                        return false;
                    }
                    isAnyWritten = true;
                } catch (RuntimeException e) {
                    // The converter does not write this number, so no row has it.
                }
            }
        }
        return isAnyWritten;
    }

    private static boolean isSame(Object given, @Nullable Object value) {
        return value instanceof String
                ? value.equals(given.toString())
                : value instanceof Number && StoredNumbers.read(value).equals(StoredNumbers.read(given));
    }

    /** What the application has for writing the column, for messages; empty if Hibernate writes the numbers. */
    Optional<String> applicationType() {
        return writer.or(() -> isWrapped ? Optional.of(JAVA_TYPE) : Optional.empty());
    }

    /** How the column holds the numbers, if nothing of the application writes them. */
    public StoredNumbers stored() {
        return type.getJdbcType().isNumber() ? StoredNumbers.NUMBERS : StoredNumbers.DIGITS;
    }

    public long maxValue() {
        return format.width().maxValue();
    }

    /** What limits the ids, for messages; empty if it is the type. */
    public String limit() {
        return format.limit();
    }
}

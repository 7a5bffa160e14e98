package io.distributedid.internal.property;

import io.distributedid.IdConfigurationException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The basic Java types of annotated properties. */
public enum IdType {
    LONG(Long.MAX_VALUE, id -> id, Long.class, long.class),
    INTEGER(Integer.MAX_VALUE, Math::toIntExact, Integer.class, int.class),
    BIG_INTEGER(Long.MAX_VALUE, BigInteger::valueOf, BigInteger.class),
    BIG_DECIMAL(Long.MAX_VALUE, BigDecimal::valueOf, BigDecimal.class),
    STRING(Long.MAX_VALUE, Long::toString, String.class);

    public static final String ALLOWED = "long, Long, int, Integer, BigInteger, BigDecimal, String";

    private final long maxValue;

    @SuppressWarnings("ImmutableEnumChecker")
    private final LongFunction<Object> conversion;

    @SuppressWarnings("ImmutableEnumChecker")
    private final List<Class<?>> javaTypes;

    IdType(long maxValue, LongFunction<Object> conversion, Class<?>... javaTypes) {
        this.maxValue = maxValue;
        this.conversion = conversion;
        this.javaTypes = List.of(javaTypes);
    }

    public static Optional<IdType> of(Class<?> javaType) {
        return Arrays.stream(values())
                .filter(type -> type.javaTypes.contains(javaType))
                .findFirst();
    }

    /**
     * A property of another type.
     *
     * @param annotation what would make it an id
     * @param property its name in messages
     */
    public static IdConfigurationException refused(String annotation, String property, Class<?> type) {
        return refused(annotation, property, type, "");
    }

    /**
     * As above.
     *
     * @param others what else is allowed
     */
    public static IdConfigurationException refused(String annotation, String property, Class<?> type, String others) {
        return new IdConfigurationException("A property of this type can't be a " + annotation + ": " + property
                + " type=" + type.getName() + ", allowed: " + ALLOWED + others);
    }

    /** Whether a value means "no id": null, 0 (in a primitive property or in JSON), an empty text, or one of zeros. */
    public static boolean isNone(@Nullable Object value) {
        if (value instanceof BigDecimal decimal) {
            return decimal.signum() == 0;
        }
        if (value instanceof BigInteger integer) {
            return integer.signum() == 0;
        }
        if (value instanceof String text) {
            return text.chars().allMatch(digit -> digit == '0');
        }
        return value == null || (value instanceof Number number && number.longValue() == 0);
    }

    public long maxValue() {
        return maxValue;
    }

    /** The class of what {@link #convert} returns. */
    public Class<?> javaType() {
        return javaTypes.get(0);
    }

    public Object convert(long id) {
        return conversion.apply(id);
    }
}

package io.distributedid.hibernate;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/** The Java types of annotated properties, and how they hold an id. */
enum IdType {
    LONG(Long.MAX_VALUE, id -> id, Long.class, long.class),
    INTEGER(Integer.MAX_VALUE, Math::toIntExact, Integer.class, int.class),
    BIG_INTEGER(Long.MAX_VALUE, BigInteger::valueOf, BigInteger.class),
    BIG_DECIMAL(Long.MAX_VALUE, BigDecimal::valueOf, BigDecimal.class),
    STRING(Long.MAX_VALUE, Long::toString, String.class);

    static final String ALLOWED = "long, Long, int, Integer, BigInteger, BigDecimal, String";

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

    static Optional<IdType> of(Class<?> javaType) {
        return Arrays.stream(values())
                .filter(type -> type.javaTypes.contains(javaType))
                .findFirst();
    }

    /** What stands in a primitive property before it has an id; no id is 0. */
    static boolean isZero(Object value) {
        return value instanceof Number number && number.longValue() == 0;
    }

    /** The largest id that the type holds. */
    long maxValue() {
        return maxValue;
    }

    Object convert(long id) {
        return conversion.apply(id);
    }
}

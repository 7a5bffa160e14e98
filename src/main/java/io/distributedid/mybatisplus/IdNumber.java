package io.distributedid.mybatisplus;

import java.math.BigDecimal;

/**
 * A text as a number: MyBatis-Plus takes nothing else from a generator, and turns it into a text for an entity with
 * such an id. So a text keeps its leading zeros.
 */
final class IdNumber extends Number {

    private static final long serialVersionUID = 1L;

    private final String text;

    private IdNumber(String text) {
        this.text = text;
    }

    static Number of(Object id) {
        return id instanceof Number number ? number : new IdNumber(id.toString());
    }

    @Override
    public int intValue() {
        return (int) longValue();
    }

    @Override
    public long longValue() {
        return new BigDecimal(text).longValueExact();
    }

    @Override
    public float floatValue() {
        return new BigDecimal(text).floatValue();
    }

    @Override
    public double doubleValue() {
        return new BigDecimal(text).doubleValue();
    }

    @Override
    public String toString() {
        return text;
    }
}

package io.distributedid.internal.property;

/**
 * The largest id that fits a type or a column.
 *
 * @param maxValue all ids up to it are stored exactly
 * @param limit the type or column that sets it, for messages
 */
public record Width(long maxValue, String limit) {

    public static final Width UNLIMITED = new Width(Long.MAX_VALUE, "");

    /** The exact bits of a {@code float} and a {@code double}. */
    public static final int SINGLE = 24;

    public static final int DOUBLE = 53;

    public static Width ofBits(int bits, String limit) {
        return bits >= Long.SIZE - 1 ? UNLIMITED : new Width((1L << bits) - 1, limit);
    }

    public static Width ofDigits(int digits, String limit) {
        if (digits > 18) {
            return UNLIMITED;
        }
        return new Width(digits < 1 ? 0 : (long) Math.pow(10, digits) - 1, limit);
    }

    /** The one with the smaller largest id. */
    public static Width narrower(Width one, Width other) {
        return other.maxValue < one.maxValue ? other : one;
    }
}

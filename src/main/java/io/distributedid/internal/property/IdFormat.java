package io.distributedid.internal.property;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;

/**
 * How a property holds an id.
 *
 * @param padded whether a text has 19 digits
 * @param width the largest id that the type, the column, and all types between them hold
 */
public record IdFormat(IdType type, boolean padded, Width width) {

    /** The digits of the largest id. */
    private static final int DIGITS = 19;

    public static IdFormat of(IdType type) {
        return new IdFormat(type, false, new Width(type.maxValue(), ""));
    }

    /**
     * For a property whose column is not known. Fails if it can't hold an id.
     *
     * @param annotation what makes it an id, for messages
     * @param property its name in messages
     */
    public static IdFormat of(Class<?> javaType, boolean padded, String annotation, String property) {
        IdType type = IdType.of(javaType).orElseThrow(() -> IdType.refused(annotation, property, javaType));
        return of(type).in(Width.UNLIMITED, type == IdType.STRING, padded, property);
    }

    /**
     * For a column of this width. Fails if a padded id is no text, or too long.
     *
     * @param text whether the column holds texts
     */
    public IdFormat in(Width column, boolean text, boolean isPadded, String property) {
        if (isPadded && !text) {
            throw new IdConfigurationException(
                    "Only a text can be padded: " + property + " holds numbers, allowed: padded = true on a String");
        }
        if (isPadded && column.maxValue() < Long.MAX_VALUE) {
            throw new IdConfigurationException("A padded id has " + DIGITS + " digits: " + property + " length="
                    + Long.toString(column.maxValue()).length() + ", allowed: " + DIGITS + " or more");
        }
        return new IdFormat(type, isPadded, width).within(column);
    }

    /** Limited to ids that also fit another place. */
    public IdFormat within(Width other) {
        return new IdFormat(type, padded, Width.narrower(width, other));
    }

    /** The id in the basic type. Throws {@link IdsExhaustedException} if it does not fit. */
    public Object convert(long id) {
        if (id > width.maxValue()) {
            throw new IdsExhaustedException("An id does not fit its property: id=" + id + limit() + ", allowed: up to "
                    + width.maxValue() + ". Map the property to a wider type");
        }
        return padded ? pad(Long.toString(id)) : type.convert(id);
    }

    private static String pad(String digits) {
        return "0".repeat(DIGITS - digits.length()) + digits;
    }

    /** What limits the ids, for messages; empty if it is the type. */
    public String limit() {
        return width.limit().isEmpty() ? "" : ", " + width.limit();
    }
}

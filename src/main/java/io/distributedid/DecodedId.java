package io.distributedid;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A decoded id: when it was made, if the id holds the time, and its fields (worker, sequence, server, ...), most
 * significant first. Immutable.
 *
 * @param id the id, positive
 * @param instant when it was made, in the unit of its layout; null if the id holds no time
 * @param fields the fields other than the time, by name
 * @param bits the id in binary, time included, with a space between fields
 */
public record DecodedId(long id, @Nullable Instant instant, Map<String, Long> fields, String bits) {

    /** Copies {@code fields}, keeping their order. */
    public DecodedId {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /**
     * Creates an id whose fields have no bits of their own.
     *
     * @param id the id, positive
     * @param instant when it was made; null if the id holds no time
     * @param fields the other fields, by name
     */
    public DecodedId(long id, @Nullable Instant instant, Map<String, Long> fields) {
        this(id, instant, fields, Long.toBinaryString(id));
    }

    /**
     * Returns when the id was made.
     *
     * @return empty if the id holds no time
     */
    public Optional<Instant> time() {
        return Optional.ofNullable(instant);
    }

    /**
     * Returns the value of a field.
     *
     * @param name for example {@code worker}
     * @return its value
     * @throws IllegalArgumentException if the id has no such field
     */
    public long field(String name) {
        Long value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "An id has no such field: field=" + name + ", allowed: " + fields.keySet());
        }
        return value;
    }

    /**
     * Returns the id with its time and fields, for example {@code 481036337153 (2026-01-01T00:01:54.688Z, worker=1,
     * sequence=1)}.
     */
    @Override
    public String toString() {
        if (instant == null && fields.isEmpty()) {
            return Long.toString(id);
        }
        StringBuilder text = new StringBuilder().append(id).append(" (");
        String separator = "";
        if (instant != null) {
            text.append(instant);
            separator = ", ";
        }
        for (Map.Entry<String, Long> field : fields.entrySet()) {
            text.append(separator).append(field.getKey()).append('=').append(field.getValue());
            separator = ", ";
        }
        return text.append(')').toString();
    }
}

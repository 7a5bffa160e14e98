package io.distributedid;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an id says about itself: when it was made, if its backend puts the time into it, and its fields (worker,
 * sequence, server, ...), in the order in which they stand in the id, most significant first.
 *
 * @param id the id, positive
 * @param instant when it was made, to the unit of its layout; null if the id carries no time
 * @param fields the fields other than the time, by name
 * @param bits the id in binary, with a space between two fields, the time included
 */
public record DecodedId(long id, @Nullable Instant instant, Map<String, Long> fields, String bits) {

    /** Copies {@code fields}, keeping their order. */
    public DecodedId {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /**
     * An id whose fields are not made of bits of their own.
     *
     * @param id the id, positive
     * @param instant when it was made; null if the id carries no time
     * @param fields what else it says, by name
     */
    public DecodedId(long id, @Nullable Instant instant, Map<String, Long> fields) {
        this(id, instant, fields, Long.toBinaryString(id));
    }

    /**
     * When the id was made.
     *
     * @return the instant, or empty if the id carries no time
     */
    public Optional<Instant> time() {
        return Optional.ofNullable(instant);
    }

    /**
     * One field.
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
     * The id alone, or with what is in it, for example {@code 481036337153 (2026-01-01T00:01:54.688Z, worker=1,
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

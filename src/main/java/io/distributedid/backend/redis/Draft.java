package io.distributedid.backend.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a counter and its record, with the changes of one transaction. They are made only if no compared field of
 * the record has changed since it was read. For one thread.
 */
final class Draft {

    /** What the transaction of another client may change: always compared. */
    private static final Set<String> COMPARED = Set.of(
            RedisRecord.CLAIM, RedisRecord.GENERATION, RedisRecord.FLOOR, RedisRecord.STATE, RedisRecord.IDENTITY);

    private final Map<String, String> before;

    private final Map<String, String> changed = new LinkedHashMap<>();

    private final Set<String> compared = new LinkedHashSet<>(COMPARED);

    private OptionalLong last;

    private List<String> counter = List.of("keep", "0", "0");

    Draft(Map<String, String> before, OptionalLong last) {
        this.before = before;
        this.last = last;
    }

    /** A field of the record with the changes so far; null if it is missing. */
    @Nullable
    String get(String field) {
        String value = changed.get(field);
        return value == null ? before.get(field) : value;
    }

    /** The record with the changes so far. */
    Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>(before);
        fields.putAll(changed);
        return fields;
    }

    void put(String field, String value) {
        changed.put(field, value);
    }

    /** As {@link #put}, if no other client changes the field meanwhile. */
    void replace(String field, String value) {
        compared.add(field);
        changed.put(field, value);
    }

    OptionalLong last() {
        return last;
    }

    /** Raises the counter unless it is as high already. */
    void raise(long id) {
        counter = List.of("raise", Long.toString(id), "0");
        last = OptionalLong.of(Math.max(id, last.orElse(id)));
    }

    /** Lowers the counter, if it is still as it was. */
    boolean lower(long from, long to) {
        if (last.isEmpty() || last.getAsLong() != from) {
            return false;
        }
        counter = List.of("lower", Long.toString(from), Long.toString(to));
        last = OptionalLong.of(to);
        return true;
    }

    boolean isChanged() {
        return !changed.isEmpty() || !counter.get(0).equals("keep");
    }

    /** The arguments of {@link RedisScript#CHANGE}. */
    List<String> arguments(String replicationId) {
        List<String> arguments = new ArrayList<>();
        arguments.add(replicationId);
        arguments.addAll(counter);
        arguments.add(Integer.toString(compared.size()));
        for (String field : compared) {
            String value = before.get(field);
            arguments.addAll(List.of(field, value == null ? "0" : "1", value == null ? "" : value));
        }
        changed.forEach((field, value) -> {
            arguments.add(field);
            arguments.add(value);
        });
        return arguments;
    }
}

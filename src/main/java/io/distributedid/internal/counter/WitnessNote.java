package io.distributedid.internal.counter;

import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * An update of one server's record: how far the servers of a counter have come. An older entry never replaces a newer
 * one, nor an entry "not created".
 *
 * @param table the record's table, as in SQL
 * @param key of the counter's record
 * @param witnesses by the server's offset; not empty
 */
public record WitnessNote(String table, String key, Map<Long, Witness> witnesses) {

    public WitnessNote {
        witnesses = Map.copyOf(witnesses);
    }

    /** One UPDATE of all entries. {@code counter} is the key in SQL: a literal or a parameter. */
    public String sql(String counter) {
        return "UPDATE " + table + " SET last_id = " + choice(Witness::last) + ", generation = "
                + choice(Witness::generation) + " WHERE counter = " + counter + " AND last_id >= 0 AND ("
                + witnesses.entrySet().stream()
                        .map(entry -> "server = " + entry.getKey() + " AND (generation < "
                                + entry.getValue().generation() + " OR generation = "
                                + entry.getValue().generation() + " AND last_id < "
                                + entry.getValue().last() + ")")
                        .collect(Collectors.joining(" OR "))
                + ")";
    }

    private String choice(ToLongFunction<Witness> value) {
        return witnesses.entrySet().stream()
                .map(entry -> "WHEN " + entry.getKey() + " THEN " + value.applyAsLong(entry.getValue()))
                .collect(Collectors.joining(" ", "CASE server ", " END"));
    }
}

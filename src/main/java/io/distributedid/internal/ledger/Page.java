package io.distributedid.internal.ledger;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;

/**
 * What a {@link Ledger} held at one moment.
 *
 * @param rows by name; a missing row has no entry
 * @param time of the store, in milliseconds since 1970, at some moment of the read: a row may be newer or older by as
 *     much as the read took. In a transaction on H2 it is the time at which that began
 */
public record Page(Map<String, Row> rows, long time) {

    public Page {
        rows = Collections.unmodifiableMap(rows);
    }

    /** A row that is there. */
    public Row row(String name) {
        return Objects.requireNonNull(rows.get(name), name);
    }
}

package io.distributedid.internal.counter;

import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * How far a counter has come.
 *
 * @param last as {@link StoredCounter#last}
 * @param slack as {@link StoredCounter#slack}
 */
public record LastId(OptionalLong last, long slack) {

    /** Asks the server. */
    public static LastId of(StoredCounter counter) throws SQLException {
        OptionalLong last = counter.last();
        return new LastId(last, counter.slack());
    }
}

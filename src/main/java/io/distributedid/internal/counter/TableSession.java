package io.distributedid.internal.counter;

import io.distributedid.internal.counting.sql.Writability;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A session on a database, which can look at several counters in one query, and change them in one transaction.
 *
 * @param <C> names a counter
 */
public interface TableSession<C extends CounterKey> extends CounterSession<C> {

    /** The connection, in autocommit mode, for questions about the server. */
    Connection connection();

    /** The record beside the table of an open counter. */
    RecordTable record(C counter) throws SQLException;

    @Override
    default Map<C, RecordRows> recordsTogether(List<C> counters) throws SQLException {
        Map<C, RecordRows> records = new LinkedHashMap<>();
        RecordTable table = record(counters.get(0));
        if (table.isDenied()) {
            return records;
        }
        Map<C, String> keys = new LinkedHashMap<>();
        Map<String, String> claimKeys = new LinkedHashMap<>();
        for (C each : counters) {
            RecordTable own = record(each);
            keys.put(each, own.key(each.rowName()));
            claimKeys.put(own.key(each.rowName()), own.claimKey());
        }
        Map<String, RecordRows> found = table.read(claimKeys);
        keys.forEach((counter, key) -> records.put(counter, found.getOrDefault(key, RecordRows.NONE)));
        return records;
    }

    @Override
    default Optional<Writability> readOnly() throws SQLException {
        return Writability.missing(connection());
    }

    @Override
    default Optional<TableSession<C>> tables() {
        return Optional.of(this);
    }
}

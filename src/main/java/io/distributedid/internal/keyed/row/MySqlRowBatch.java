package io.distributedid.internal.keyed.row;

import io.distributedid.internal.jdbc.MySqlTrips;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * MySQL and MariaDB, in two trips of several statements each, see {@link MySqlTrips}. Each statement finds one row by
 * its key: one for all rows might read the whole table, and lock it. Texts are sent as hexadecimal digits, so that no
 * setting of the server decides where they end.
 *
 * <pre>
 * START TRANSACTION;
 * SELECT number FROM keyed_sequence WHERE name = 'messages' AND key_text = '42' FOR UPDATE SKIP LOCKED;
 * ...
 *
 * UPDATE keyed_sequence SET number = 8 WHERE name = 'messages' AND key_text = '42' AND number = 7;
 * ...
 * COMMIT;
 * </pre>
 */
record MySqlRowBatch(MySqlTrips trips) implements RowBatch {

    @Override
    public Map<RowKey, Long> take(List<Take> takes) throws SQLException {
        try {
            Map<RowKey, Long> before = lock(takes);
            return add(
                    takes.stream()
                            .filter(each -> before.containsKey(each.row()))
                            .toList(),
                    before);
        } catch (SQLException e) {
            trips.rollBack(e);
            throw e;
        }
    }

    private Map<RowKey, Long> lock(List<Take> takes) throws SQLException {
        List<String> selects = new ArrayList<>(List.of("START TRANSACTION"));
        takes.forEach(each ->
                selects.add("SELECT number FROM " + each.row().table() + where(each) + " FOR UPDATE SKIP LOCKED"));
        Map<RowKey, Long> found = new HashMap<>();
        trips.run(selects, (query, row) -> {
            Take take = takes.get(query);
            if (row.next() && row.getLong(1) <= Long.MAX_VALUE - take.count()) {
                found.put(take.row(), row.getLong(1));
            }
        });
        return found;
    }

    /** A proxy that has changed the server since gets none. */
    private Map<RowKey, Long> add(List<Take> free, Map<RowKey, Long> before) throws SQLException {
        List<String> updates = new ArrayList<>();
        for (Take each : free) {
            long number = before.get(each.row());
            updates.add("UPDATE " + each.row().table() + " SET number = " + (number + each.count()) + where(each)
                    + " AND number = " + number);
        }
        updates.add("COMMIT");
        List<Integer> changed = trips.run(updates, (query, row) -> {});
        Map<RowKey, Long> last = new HashMap<>();
        for (int i = 0; i < free.size(); i++) {
            if (changed.get(i) == 1) {
                Take take = free.get(i);
                last.put(take.row(), before.get(take.row()) + take.count());
            }
        }
        return last;
    }

    private static String where(Take take) {
        return " WHERE name = " + text(take.row().sequence()) + " AND key_text = "
                + text(take.row().key());
    }

    private static String text(String value) {
        return "_utf8mb4 X'" + HexFormat.of().formatHex(value.getBytes(StandardCharsets.UTF_8)) + "'";
    }
}

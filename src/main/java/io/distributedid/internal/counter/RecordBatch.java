package io.distributedid.internal.counter;

import io.distributedid.internal.jdbc.InList;
import io.distributedid.internal.jdbc.StoredText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Writes several rows of a {@link RecordTable} with one statement each, in a transaction of the caller. For one thread
 * at a time.
 */
final class RecordBatch {

    /** The most tokens of one INSERT. */
    private static final int TOKENS = 1000;

    private final Connection connection;

    private final RecordTable table;

    RecordBatch(Connection connection, RecordTable table) {
        this.connection = connection;
        this.table = table;
    }

    /** A new row: the record of a counter if {@code server} is 0, else what is known of that server. */
    record Row(String key, long server, long generation, long last, String identity) {}

    /** Fails if one of the rows is there already. */
    void insert(List<Row> rows) throws SQLException {
        String values = "(?, ?, ?, ?, 0, 0, " + StoredText.EMPTY + ", ?, " + StoredText.EMPTY + ")";
        try (PreparedStatement insert =
                connection.prepareStatement(insertInto() + values + (", " + values).repeat(rows.size() - 1))) {
            int parameter = 0;
            for (Row row : rows) {
                insert.setString(++parameter, row.key);
                insert.setLong(++parameter, row.server);
                insert.setLong(++parameter, row.generation);
                insert.setLong(++parameter, row.last);
                insert.setString(++parameter, StoredText.of(row.identity));
            }
            insert.executeUpdate();
        }
    }

    /** In few statements, without a transaction of the caller. Fails if one is there already. */
    void insertTokens(Map<String, String> tokens) throws SQLException {
        List<Map.Entry<String, String>> all = List.copyOf(tokens.entrySet());
        for (int from = 0; from < all.size(); from += TOKENS) {
            insertTokens(all.subList(from, Math.min(all.size(), from + TOKENS)));
        }
    }

    private void insertTokens(List<Map.Entry<String, String>> tokens) throws SQLException {
        String values = "(?, 0, 1, 0, 0, 0, " + StoredText.EMPTY + ", " + StoredText.EMPTY + ", ?)";
        try (PreparedStatement insert =
                connection.prepareStatement(insertInto() + values + (", " + values).repeat(tokens.size() - 1))) {
            int parameter = 0;
            for (Map.Entry<String, String> token : tokens) {
                insert.setString(++parameter, token.getKey());
                insert.setString(++parameter, StoredText.of(token.getValue()));
            }
            insert.executeUpdate();
        }
    }

    private String insertInto() {
        return "INSERT INTO " + table.table()
                + " (counter, server, generation, last_id, increment_by, offset_by, state, server_identity, token)"
                + " VALUES ";
    }

    /**
     * A new claim.
     *
     * @param key of the claim
     */
    record Claim(String key, Numbering numbering, String token) {}

    /** Inserts new claims. Fails if one of them is there already. */
    void insertClaims(List<Claim> claims) throws SQLException {
        String values = "(?, 0, 1, 0, ?, ?, '" + NumberingRecord.State.NEW.name() + "', " + StoredText.EMPTY + ", ?)";
        try (PreparedStatement insert =
                connection.prepareStatement(insertInto() + values + (", " + values).repeat(claims.size() - 1))) {
            int parameter = 0;
            for (Claim claim : claims) {
                insert.setString(++parameter, claim.key);
                insert.setLong(++parameter, claim.numbering.increment());
                insert.setLong(++parameter, claim.numbering.offset());
                insert.setString(++parameter, StoredText.of(claim.token));
            }
            insert.executeUpdate();
        }
    }

    /** Opens claims that are locked. */
    void openClaims(Collection<String> keys) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("UPDATE " + table.table()
                + " SET generation = generation + 1, state = '" + NumberingRecord.State.OPEN.name()
                + "' WHERE server = 0 AND counter " + InList.of(keys.size()))) {
            InList.set(update, 0, keys);
            update.executeUpdate();
        }
    }

    /** As {@link RecordTable#created}, for one server and several keys. */
    void created(long server, Map<String, Witness> witnesses) throws SQLException {
        String cases = "CASE counter" + " WHEN ? THEN ?".repeat(witnesses.size());
        try (PreparedStatement update = connection.prepareStatement("UPDATE " + table.table() + " SET generation = "
                + cases + " ELSE generation END, last_id = " + cases
                + " ELSE last_id END WHERE server = ? AND last_id = "
                + Witness.NOT_CREATED + " AND counter " + InList.of(witnesses.size()))) {
            int parameter = set(update, 0, witnesses, Witness::generation);
            parameter = set(update, parameter, witnesses, Witness::last);
            update.setLong(++parameter, server);
            InList.set(update, parameter, witnesses.keySet());
            update.executeUpdate();
        }
    }

    /**
     * Locks the records of claims or counters for the rest of the transaction, in the order of their keys. Returns the
     * generation of each that is there.
     */
    Map<String, Long> lock(Collection<String> keys, boolean exclusive) throws SQLException {
        Map<String, Long> generations = new HashMap<>();
        if (keys.isEmpty()) {
            return generations;
        }
        try (PreparedStatement select = connection.prepareStatement("SELECT counter, generation FROM "
                + table.byPrimaryKey() + " WHERE server = 0 AND counter " + InList.of(keys.size()) + table.durably()
                + " ORDER BY counter" + table.lockClause(exclusive))) {
            InList.set(select, 0, keys);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    generations.put(row.getString(1), row.getLong(2));
                }
            }
        }
        return generations;
    }

    /** Replaces the records of counters that are locked. Lowers no floor. */
    void update(Map<String, CounterRecord> records) throws SQLException {
        String cases = " WHEN ? THEN ?".repeat(records.size());
        try (PreparedStatement update = connection.prepareStatement("UPDATE " + table.table()
                + " SET generation = CASE counter" + cases + " ELSE generation END, last_id = GREATEST(last_id,"
                + " CASE counter" + cases + " ELSE last_id END), server_identity = CASE counter" + cases
                + " ELSE server_identity END WHERE server = 0 AND counter " + InList.of(records.size()))) {
            int parameter = set(update, 0, records, CounterRecord::generation);
            parameter = set(update, parameter, records, CounterRecord::floor);
            for (Map.Entry<String, CounterRecord> each : records.entrySet()) {
                update.setString(++parameter, each.getKey());
                update.setString(++parameter, StoredText.of(each.getValue().identity()));
            }
            InList.set(update, parameter, records.keySet());
            update.executeUpdate();
        }
    }

    /** As {@link WitnessNote}, for one server and several keys. */
    void note(long server, Map<String, Witness> witnesses) throws SQLException {
        String cases = " WHEN ? THEN ?".repeat(witnesses.size());
        String generation = "CASE counter" + cases + " ELSE generation END";
        String last = "CASE counter" + cases + " ELSE last_id END";
        try (PreparedStatement update = connection.prepareStatement("UPDATE " + table.table() + " SET generation = "
                + generation + ", last_id = " + last + " WHERE server = ? AND counter " + InList.of(witnesses.size())
                + " AND last_id >= 0 AND (generation < " + generation + " OR generation = " + generation
                + " AND last_id < " + last + ")")) {
            int parameter = set(update, 0, witnesses, Witness::generation);
            parameter = set(update, parameter, witnesses, Witness::last);
            update.setLong(++parameter, server);
            InList.set(update, parameter, witnesses.keySet());
            parameter += witnesses.size();
            parameter = set(update, parameter, witnesses, Witness::generation);
            parameter = set(update, parameter, witnesses, Witness::generation);
            set(update, parameter, witnesses, Witness::last);
            update.executeUpdate();
        }
    }

    private static <T> int set(PreparedStatement update, int before, Map<String, T> values, ToLongFunction<T> value)
            throws SQLException {
        int parameter = before;
        for (Map.Entry<String, T> each : values.entrySet()) {
            update.setString(++parameter, each.getKey());
            update.setLong(++parameter, value.applyAsLong(each.getValue()));
        }
        return parameter;
    }

    /** Raises the floors of counters that are locked. Lowers none. */
    void raiseFloors(Map<String, Long> floors) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("UPDATE " + table.table() + " SET last_id = CASE"
                + " WHEN counter = ? AND last_id < ? THEN ?".repeat(floors.size())
                + " ELSE last_id END WHERE server = 0 AND counter " + InList.of(floors.size()))) {
            int parameter = 0;
            for (Map.Entry<String, Long> floor : floors.entrySet()) {
                update.setString(++parameter, floor.getKey());
                update.setLong(++parameter, floor.getValue());
                update.setLong(++parameter, floor.getValue());
            }
            InList.set(update, parameter, floors.keySet());
            update.executeUpdate();
        }
    }
}

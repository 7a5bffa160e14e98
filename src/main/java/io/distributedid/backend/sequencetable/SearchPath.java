package io.distributedid.backend.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.RecordTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks PostgreSQL's search path, which decides where a table without a schema lies. Suppose a table of the same name
 * appears in an earlier schema of the path: new processes would count there, and running processes still use the old
 * table, see {@link TablePins}. Both would give the same ids. Hence a sequence that is new in one schema must have no
 * record in another schema of the path:
 *
 * <pre>
 * SELECT counter, state FROM other.distributedid_record
 *     WHERE counter IN ('sequence', 'sequence/photos') AND server = 0;
 * </pre>
 *
 * <p>Schemas of other tenants are not on the path. A table name with a schema is not checked.
 */
final class SearchPath {

    private SearchPath() {}

    /** Refuses a sequence whose record in another schema of the path was not retired or moved away. */
    static void requireNew(Connection connection, SequenceRow row, String name, RecordTable record, String where)
            throws SQLException {
        String schema = schema(record.table());
        for (String other : schemasWithRecord(connection)) {
            if (!other.equals(schema) && isInUse(connection, other, record, name)) {
                throw new IdConfigurationException("A name without a schema means another table than before: " + where
                        + " is " + schema + "." + row.table() + " now, but " + other + "." + RecordTable.NAME
                        + " has a counter of that name. Correct the search path, or name the intended table in all"
                        + " applications: distributedid.sequence_table.table=" + other + "." + row.table()
                        + ". To take the ids from the new one, name that, and run: distributedid adopt " + name
                        + " --retire OLD.properties --database URL");
            }
        }
    }

    /** Whether another schema of the path has a record, so that each new sequence must be looked for there. */
    static boolean hasOtherRecord(Connection connection, RecordTable record) throws SQLException {
        return !Set.of(schema(record.table())).containsAll(schemasWithRecord(connection));
    }

    private static String schema(String table) {
        return table.substring(0, Math.max(0, table.lastIndexOf('.')));
    }

    private static List<String> schemasWithRecord(Connection connection) throws SQLException {
        List<String> schemas = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT quote_ident(n.nspname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                                + " WHERE c.relname = '" + RecordTable.NAME
                                + "' AND n.nspname = ANY (current_schemas(false))"
                                + " AND has_table_privilege(c.oid, 'SELECT')"
                                + " ORDER BY array_position(current_schemas(false), n.nspname)")) {
            while (row.next()) {
                schemas.add(row.getString(1));
            }
        }
        return schemas;
    }

    private static boolean isInUse(Connection connection, String schema, RecordTable record, String name)
            throws SQLException {
        String key = record.key(name);
        Set<String> counted = new TreeSet<>();
        boolean isRetired = false;
        try (PreparedStatement select = connection.prepareStatement("SELECT counter, state FROM " + schema + "."
                + RecordTable.NAME + " WHERE counter IN (?, ?) AND server = 0")) {
            select.setString(1, record.claimKey());
            select.setString(2, key);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    counted.add(row.getString(1));
                    isRetired |= row.getString(2).equals("RETIRED");
                }
            }
        }
        return counted.contains(key) && !isRetired;
    }
}

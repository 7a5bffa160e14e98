package io.distributedid.internal.place;

import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.StoredText;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.SchemaObject;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The table {@code distributedid_record} in the database of the entities. Its row {@code @photos} holds the token of
 * the id space that the sequence {@code photos} takes its ids from. For one thread at a time.
 */
public final class RecordTable {

    /** The name of the table. */
    public static final String NAME = "distributedid_record";

    private static final Logger LOG = System.getLogger(RecordTable.class.getName());

    /** The most tokens of one INSERT. */
    private static final int TOKENS = 1_000;

    private static final int KEY_LENGTH = 120;

    private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

    private final Connection connection;

    private final String table;

    private RecordTable(Connection connection, String table) {
        this.connection = connection;
        this.table = table;
    }

    /** The DDL of the table in a schema, empty or with a dot at its end. It does nothing if the table is there. */
    public static String ddl(DatabaseProduct product, String schema) {
        boolean isMySql = product == DatabaseProduct.MYSQL || product == DatabaseProduct.MARIADB;
        return "CREATE TABLE IF NOT EXISTS " + schema + NAME + " (counter "
                + StoredText.type(product, KEY_LENGTH)
                + " NOT NULL, server INT NOT NULL, generation BIGINT NOT NULL, last_id BIGINT NOT NULL,"
                + " increment_by INT NOT NULL, offset_by INT NOT NULL, state VARCHAR(10) NOT NULL,"
                + " server_identity VARCHAR(120) NOT NULL, token VARCHAR(40) NOT NULL, PRIMARY KEY (counter, server))"
                + (isMySql ? " ENGINE=InnoDB" : "");
    }

    /** The table for a schema export. */
    public static SchemaObject schemaObject(DatabaseProduct product) {
        return new SchemaObject.Table(NAME, name -> ddl(product, name.substring(0, name.lastIndexOf('.') + 1)));
    }

    /**
     * Looks for the table; empty if it is missing and is not to be created. If the user lacks the right to create or
     * read it, logs a warning once per process, and returns empty.
     *
     * @param schema empty, or with a dot at its end
     */
    static Optional<RecordTable> of(
            Connection connection, DatabaseProduct product, String schema, String label, boolean create)
            throws SQLException {
        RecordTable table = new RecordTable(connection, schema + NAME);
        try (Statement statement = connection.createStatement()) {
            if (!table.isThere(statement)) {
                if (!create) {
                    return Optional.empty();
                }
                TableCheck.create(statement, ddl(product, schema));
            }
            return table.isThere(statement) ? Optional.of(table) : Optional.empty();
        } catch (SQLException e) {
            if (!SqlErrors.isSyntaxOrAccess(e)) {
                throw e;
            }
            if (WARNED.add(label + " " + table.table)) {
                LOG.log(
                        Level.WARNING,
                        "The table {0} is missing on {1}, or the user has no right to it. Without it, nobody notices"
                                + " when a sequence takes its ids from another place than before. Create it: {2}; and"
                                + " GRANT SELECT, INSERT, UPDATE on it. {1} said: {3}",
                        table.table,
                        label,
                        ddl(product, schema),
                        e.getMessage());
            }
            return Optional.empty();
        }
    }

    private boolean isThere(Statement statement) throws SQLException {
        try {
            statement
                    .executeQuery("SELECT counter, server, token FROM " + table + " WHERE 1 = 0")
                    .close();
            return true;
        } catch (SQLException e) {
            if (SqlErrors.tableIsMissing(e)) {
                return false;
            }
            throw e;
        }
    }

    /** The tokens of all keys that begin with a character, by the rest of the key. */
    Map<String, String> tokens(String prefix) throws SQLException {
        Map<String, String> tokens = new HashMap<>();
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT counter, token FROM " + table + " WHERE server = 0 AND LEFT(counter, 1) = ?")) {
            select.setString(1, prefix);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    tokens.put(row.getString(1).substring(1), StoredText.read(row.getString(2)));
                }
            }
        }
        return tokens;
    }

    /** Inserts tokens by key; keeps those that are there. */
    void insertTokens(Map<String, String> tokens) throws SQLException {
        List<Map.Entry<String, String>> all = List.copyOf(tokens.entrySet());
        try {
            for (int from = 0; from < all.size(); from += TOKENS) {
                insert(all.subList(from, Math.min(all.size(), from + TOKENS)));
            }
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "Tokens are inserted one by one", e);
            for (Map.Entry<String, String> each : all) {
                insertToken(each.getKey(), each.getValue());
            }
        }
    }

    /** Inserts a token; keeps one that is there. */
    void insertToken(String key, String token) throws SQLException {
        try {
            insert(List.of(Map.entry(key, token)));
        } catch (SQLException e) {
            if (!SqlErrors.isDuplicateKey(e)) {
                throw e;
            }
        }
    }

    private void insert(List<Map.Entry<String, String>> tokens) throws SQLException {
        String row = "(?, 0, 1, 0, 0, 0, " + StoredText.EMPTY + ", " + StoredText.EMPTY + ", ?)";
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + table
                + " (counter, server, generation, last_id, increment_by, offset_by, state, server_identity, token)"
                + " VALUES " + String.join(", ", Collections.nCopies(tokens.size(), row)))) {
            int parameter = 0;
            for (Map.Entry<String, String> token : tokens) {
                insert.setString(++parameter, token.getKey());
                insert.setString(++parameter, StoredText.of(token.getValue()));
            }
            insert.executeUpdate();
        }
    }

    /** Replaces a token; keeps one that is not {@code before}. */
    void replaceToken(String key, String before, String token) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE " + table + " SET token = ? WHERE counter = ? AND server = 0 AND token = ?")) {
            update.setString(1, StoredText.of(token));
            update.setString(2, key);
            update.setString(3, StoredText.of(before));
            update.executeUpdate();
        }
    }
}

package io.distributedid.internal.place;

import io.distributedid.IdConfigurationException;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The table {@code distributedid_record} in a database of entities. The row {@code @photos} holds the token of the id
 * space that the sequence {@code photos} takes its ids from; the other columns are not used. For one thread at a time.
 */
public final class RecordTable {

    /** The name of the table. */
    public static final String NAME = "distributedid_record";

    private static final Logger LOG = System.getLogger(RecordTable.class.getName());

    private static final String PREFIX = "@";

    private static final int KEY_LENGTH = 120;

    /** The most tokens of one statement. */
    private static final int TOKENS = 1000;

    private enum Access {
        /** The table was not there at the last look. */
        MISSING,
        GRANTED,
        DENIED
    }

    private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

    private final Connection connection;

    private final DatabaseProduct product;

    private final String table;

    private final String label;

    private Access access = Access.MISSING;

    private RecordTable(Connection connection, DatabaseProduct product, String table, String label) {
        this.connection = connection;
        this.product = product;
        this.table = table;
        this.label = label;
    }

    /** The DDL of the table in the schema of the table {@code beside}. It does nothing if the table is there. */
    public static String ddl(DatabaseProduct product, String beside) {
        boolean isMySql = product == DatabaseProduct.MYSQL || product == DatabaseProduct.MARIADB;
        return "CREATE TABLE IF NOT EXISTS " + nameBeside(beside) + " (counter "
                + StoredText.type(product, KEY_LENGTH)
                + " NOT NULL, server INT NOT NULL, generation BIGINT NOT NULL, last_id BIGINT NOT NULL,"
                + " increment_by INT NOT NULL, offset_by INT NOT NULL, state VARCHAR(10) NOT NULL,"
                + " server_identity VARCHAR(120) NOT NULL, token VARCHAR(40) NOT NULL, PRIMARY KEY (counter, server))"
                + (isMySql ? " ENGINE=InnoDB" : "");
    }

    /** The table for a schema export, in the schema of the table {@code beside}. */
    public static SchemaObject schemaObject(DatabaseProduct product, String beside) {
        return new SchemaObject.Table(nameBeside(beside), name -> ddl(product, name));
    }

    /** The name of the table in SQL, in the schema of the table {@code beside}. */
    static String nameBeside(String beside) {
        return beside.substring(0, beside.lastIndexOf('.') + 1) + NAME;
    }

    /**
     * Looks for the table. It may be missing until {@link #create}.
     *
     * @param namespace the schema or catalog of the table; empty for that of the connection
     * @param label of the database in messages
     */
    static RecordTable of(Connection connection, Optional<String> namespace, String label) throws SQLException {
        String name = namespace.map(each -> each + ".").orElse("") + NAME;
        RecordTable table = new RecordTable(connection, DatabaseProduct.of(connection), name, label);
        table.look();
        return table;
    }

    private void look() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (product == DatabaseProduct.MYSQL || product == DatabaseProduct.MARIADB) {
                requireTransactions();
            } else {
                statement
                        .executeQuery("SELECT counter, server, token FROM " + table + " WHERE 1 = 0")
                        .close();
            }
            access = Access.GRANTED;
        } catch (SQLException e) {
            if (SqlErrors.tableIsMissing(e)) {
                access = Access.MISSING;
            } else {
                deny(e);
            }
        }
    }

    /** In one trip: a MyISAM table loses rows in a crash. */
    private void requireTransactions() throws SQLException {
        int dot = table.lastIndexOf('.');
        try (PreparedStatement select = connection.prepareStatement("SELECT engine FROM information_schema.tables"
                + " WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ? AND NOT EXISTS (SELECT counter,"
                + " server, token FROM " + table + " WHERE 1 = 0)")) {
            select.setString(1, dot < 0 ? null : table.substring(0, dot));
            select.setString(2, table.substring(dot + 1));
            try (ResultSet row = select.executeQuery()) {
                String engine = row.next() ? row.getString(1) : null;
                if (engine != null && !engine.equalsIgnoreCase("InnoDB")) {
                    throw new IdConfigurationException("The table of the record must keep row locks: table=" + table
                            + " on " + label + " engine=" + engine + ", allowed: InnoDB. Change it: ALTER TABLE "
                            + table + " ENGINE=InnoDB");
                }
            }
        }
    }

    private void deny(SQLException e) throws SQLException {
        if (!SqlErrors.isSyntaxOrAccess(e)) {
            throw e;
        }
        access = Access.DENIED;
        if (WARNED.add(label + " " + table)) {
            LOG.log(
                    Level.WARNING,
                    "The table {0} is missing on {1}, or the user has no right to it. Without it, clients do not notice"
                            + " that a sequence takes its ids from another place than before. Create it: {2}; and GRANT"
                            + " SELECT, INSERT, UPDATE on it. {1} said: {3}",
                    table,
                    label,
                    ddl(product, table),
                    e.getMessage());
        }
    }

    /**
     * Creates the table unless it is there, and returns whether it can be read. If the user lacks the right to create
     * or read it, logs a warning once per process.
     */
    boolean create() throws SQLException {
        if (access == Access.MISSING) {
            try (Statement statement = connection.createStatement()) {
                TableCheck.create(statement, ddl(product, table));
                look();
            } catch (SQLException e) {
                deny(e);
            }
        }
        return access == Access.GRANTED;
    }

    /** Whether the table is there and can be read. */
    boolean isThere() {
        return access == Access.GRANTED;
    }

    /** By sequence. */
    Map<String, String> tokens() throws SQLException {
        Map<String, String> tokens = new HashMap<>();
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT counter, token FROM " + table + " WHERE server = 0 AND LEFT(counter, 1) = ?")) {
            select.setString(1, PREFIX);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    tokens.put(row.getString(1).substring(1), StoredText.read(row.getString(2)));
                }
            }
        }
        return tokens;
    }

    /** Inserts tokens by sequence; keeps those that are there. */
    void insert(Map<String, String> tokens) throws SQLException {
        List<Map.Entry<String, String>> all = List.copyOf(tokens.entrySet());
        try {
            for (int from = 0; from < all.size(); from += TOKENS) {
                insert(all.subList(from, Math.min(all.size(), from + TOKENS)));
            }
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "Tokens are inserted one by one", e);
            for (Map.Entry<String, String> each : all) {
                insert(each.getKey(), each.getValue());
            }
        }
    }

    private void insert(List<Map.Entry<String, String>> tokens) throws SQLException {
        String values = "(?, 0, 1, 0, 0, 0, " + StoredText.EMPTY + ", " + StoredText.EMPTY + ", ?)";
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + table
                + " (counter, server, generation, last_id, increment_by, offset_by, state, server_identity, token)"
                + " VALUES " + values + (", " + values).repeat(tokens.size() - 1))) {
            int parameter = 0;
            for (Map.Entry<String, String> token : tokens) {
                insert.setString(++parameter, PREFIX + token.getKey());
                insert.setString(++parameter, StoredText.of(token.getValue()));
            }
            insert.executeUpdate();
        }
    }

    /** Inserts a token; keeps one that is there. */
    void insert(String sequence, String token) throws SQLException {
        try {
            insert(List.of(Map.entry(sequence, token)));
        } catch (SQLException e) {
            if (!SqlErrors.isDuplicateKey(e)) {
                throw e;
            }
        }
    }

    void update(String sequence, String token) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE " + table + " SET token = ? WHERE counter = ? AND server = 0")) {
            update.setString(1, StoredText.of(token));
            update.setString(2, PREFIX + sequence);
            update.executeUpdate();
        }
    }

    /** Replaces a token; keeps one that is not {@code before}. */
    void replace(String sequence, String before, String token) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE " + table + " SET token = ? WHERE counter = ? AND server = 0 AND token = ?")) {
            update.setString(1, StoredText.of(token));
            update.setString(2, PREFIX + sequence);
            update.setString(3, StoredText.of(before));
            update.executeUpdate();
        }
    }
}

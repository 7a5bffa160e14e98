package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.MySqlTable;
import io.distributedid.internal.jdbc.StoredText;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Locale;
import java.util.Set;

/**
 * The table {@code keyed_sequence}. Refuses one that may give a number twice: a crash empties it, it may hold a key
 * twice, or its numbers end before 2^63-1. Refuses one whose keys compare without regard to case or accents too:
 * numbers in transactions would have gaps. So they would if MySQL cut a key that is too long, or wrote {@code ?} for a
 * character that the column can't store.
 *
 * <pre>
 * SELECT name, key_text, number FROM keyed_sequence WHERE 1 = 0;
 * SELECT COUNT(*) FROM (SELECT key_text FROM keyed_sequence WHERE 1 = 0 UNION ALL SELECT 'a') probe
 *     WHERE key_text IN ('A', '&aacute;');
 * SELECT CHARSET(MAX(key_text)) FROM keyed_sequence WHERE 1 = 0;                           on MySQL and MariaDB
 * </pre>
 *
 * <p>The union has the column's collation.
 *
 * @param name in SQL
 * @param create whether to create it if it is missing
 * @param label of its server
 */
record RowTable(String name, boolean create, String label) {

    private static final Set<String> KEY = Set.of("name", "key_text");

    private static final int NAME_CHARACTERS = 50;

    private static final int KEY_CHARACTERS = 150;

    private static final String ALL_CHARACTERS = "utf8mb4";

    static String ddl(DatabaseProduct product, String table) {
        return "CREATE TABLE IF NOT EXISTS " + table + " (name " + StoredText.type(product, NAME_CHARACTERS)
                + " NOT NULL, key_text " + StoredText.type(product, KEY_CHARACTERS)
                + " NOT NULL, number BIGINT NOT NULL, PRIMARY KEY (name, key_text))"
                + (product == DatabaseProduct.MYSQL || product == DatabaseProduct.MARIADB ? " ENGINE=InnoDB" : "");
    }

    String where() {
        return "table=" + name + " on " + label;
    }

    /** What to do if the table is missing, or a right. */
    TableCheck.Expected expected(DatabaseProduct product) {
        return expected(
                product,
                "The table of numbers per key",
                "SELECT, INSERT, UPDATE",
                "; or set distributedid.keyed.backend=row, and let Hibernate");
    }

    /** The same for sections, which only store their mark there. */
    TableCheck.Expected expectedBySections(DatabaseProduct product) {
        return expected(
                product, "The table that records how a sequence is numbered", "SELECT, INSERT", "; or let Hibernate");
    }

    private TableCheck.Expected expected(DatabaseProduct product, String what, String rights, String orHibernate) {
        return new TableCheck.Expected(
                what,
                name,
                label,
                ddl(product, name),
                rights,
                orHibernate + " create it (hibernate.hbm2ddl.auto), or the first client: "
                        + "distributedid.create_tables=true");
    }

    void require(Connection connection, TableCheck.Expected expected) throws SQLException {
        DatabaseProduct product = DatabaseProduct.of(connection);
        TableCheck.require(connection, create, expected, probe());
        requireDurable(connection, product);
        try (Statement statement = connection.createStatement()) {
            requireColumns(statement, product);
            requireExactKeys(statement, product);
        }
    }

    private String probe() {
        return "SELECT name, key_text, number FROM " + name + " WHERE 1 = 0";
    }

    private void requireDurable(Connection connection, DatabaseProduct product) throws SQLException {
        switch (product) {
            case MYSQL, MARIADB -> {
                MySqlTable found = MySqlTable.read(connection, name);
                requireDurable(product, "engine=" + found.engine(), "engine=InnoDB");
                if (found.uniqueKeys().stream().noneMatch(key -> Set.copyOf(key).equals(KEY))) {
                    throw new IdConfigurationException("A key must have one row: " + where()
                            + " has no primary or unique key of name and key_text. Delete all rows of a key but the"
                            + " highest, and add a primary key: ALTER TABLE "
                            + name + " ADD PRIMARY KEY (name, key_text)");
                }
                requireAllCharacters(connection, product);
            }
            case POSTGRESQL ->
                requireDurable(
                        product, "relpersistence=" + TableCheck.persistence(connection, name), "relpersistence=p");
            case H2 -> {}
        }
    }

    private void requireDurable(DatabaseProduct product, String found, String allowed) {
        if (!found.equalsIgnoreCase(allowed)) {
            throw new IdConfigurationException("The table of numbers per key must not lose rows in a crash: " + where()
                    + " " + found + ", allowed: " + allowed + ". Recreate it: "
                    + ddl(product, name));
        }
    }

    private void requireAllCharacters(Connection connection, DatabaseProduct product) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT CHARSET(MAX(key_text)) FROM " + name + " WHERE 1 = 0")) {
            row.next();
            String found = row.getString(1);
            if (!ALL_CHARACTERS.equalsIgnoreCase(found)) {
                throw new IdConfigurationException("The column key_text must be able to store all characters: "
                        + where() + " charset=" + found + ", allowed: charset=" + ALL_CHARACTERS + ". "
                        + changeType(product, KEY_CHARACTERS));
            }
        }
    }

    private static String changeType(DatabaseProduct product, int characters) {
        return "Change the type of the column to " + StoredText.type(product, characters);
    }

    private void requireColumns(Statement statement, DatabaseProduct product) throws SQLException {
        try (ResultSet none = statement.executeQuery(probe())) {
            ResultSetMetaData columns = none.getMetaData();
            if (columns.getColumnType(3) != Types.BIGINT) {
                throw new IdConfigurationException("The column number must have 64 bits: " + where() + " number="
                        + columns.getColumnTypeName(3) + ", allowed: BIGINT. Change the type of the column");
            }
            requireLength(columns, 1, NAME_CHARACTERS, product);
            requireLength(columns, 2, KEY_CHARACTERS, product);
        }
    }

    private void requireLength(ResultSetMetaData columns, int column, int characters, DatabaseProduct product)
            throws SQLException {
        int length = columns.getPrecision(column);
        // 0: the driver does not know it.
        if (length > 0 && length < characters) {
            String label = columns.getColumnLabel(column).toLowerCase(Locale.ROOT);
            throw new IdConfigurationException("The column " + label + " is too short: " + where() + " " + label + "="
                    + columns.getColumnTypeName(column) + "(" + length + "), allowed: " + characters
                    + " characters or more. " + changeType(product, characters));
        }
    }

    private void requireExactKeys(Statement statement, DatabaseProduct product) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM (SELECT key_text FROM " + name
                + " WHERE 1 = 0 UNION ALL SELECT 'a') probe WHERE key_text IN ('A', '\u00e1')")) {
            row.next();
            if (row.getLong(1) > 0) {
                throw new IdConfigurationException("Keys must be compared by all their characters: " + where()
                        + " takes 'a' and 'A' or '\u00e1' for the same key. Give the columns name and key_text types"
                        + " that tell them apart, such as " + StoredText.type(product, KEY_CHARACTERS));
            }
        }
    }
}

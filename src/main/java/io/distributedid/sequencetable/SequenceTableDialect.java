package io.distributedid.sequencetable;

import io.distributedid.internal.DatabaseProduct;
import io.distributedid.internal.UnsignedColumn;
import io.distributedid.internal.counter.ClaimRows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** The SQL of a sequence table. Implementations have no state. */
interface SequenceTableDialect {

    /** The rows that hold the number of servers and the server's own; no sequence has such a name. */
    ClaimRows CLAIM = new ClaimRows("name", "@servers", "@server");

    static SequenceTableDialect of(DatabaseProduct product) {
        return switch (product) {
            case MYSQL, MARIADB -> new MySqlSequenceTableDialect();
            case POSTGRESQL -> new PostgreSqlSequenceTableDialect();
            case H2 -> new H2SequenceTableDialect();
        };
    }

    /** The type of the column {@code id}. */
    String idType();

    /** What the table's DDL ends with. */
    default String tableOptions() {
        return "";
    }

    /** The statement that creates the table. */
    default String ddl(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table + " (name VARCHAR(50) NOT NULL PRIMARY KEY, id " + idType()
                + " NOT NULL DEFAULT 0)" + tableOptions();
    }

    /**
     * Adds {@code amount} to a sequence's row, if the row is not below {@code own} and the table is divided between that many
     * servers.
     *
     * @return the new value, or -1 if there is no such row, it lies below, or the table is divided otherwise
     */
    long add(Connection connection, SequenceRow row, long amount, long own, long servers) throws SQLException;

    /** For {@link #add} where one statement changes the row and returns the new value. */
    static long addReturning(Connection connection, String sql, SequenceRow row, long amount, long own, long servers)
            throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            set(update, row, amount, own, servers);
            try (ResultSet changed = update.executeQuery()) {
                return changed.next() ? UnsignedColumn.read(changed, 1) : -1;
            }
        }
    }

    /** The parameters of {@link #add}, in the order in which they are in the SQL. */
    static void set(PreparedStatement update, SequenceRow row, long amount, long own, long servers)
            throws SQLException {
        update.setLong(1, amount);
        update.setString(2, row.name());
        update.setLong(3, own);
        update.setLong(4, servers);
    }

    /** The statements that put table {@code next} in the place of {@code table}, which is kept as {@code old}. */
    default List<String> swap(String table, String old, String next) {
        return List.of(
                "ALTER TABLE " + table + " RENAME TO " + unqualified(old),
                "ALTER TABLE " + next + " RENAME TO " + unqualified(table));
    }

    private static String unqualified(String table) {
        return table.substring(table.lastIndexOf('.') + 1);
    }

    /** The statement that inserts a name and an id, unless there is a row of that name. */
    String insertSql(String table);

    /** Creates a row, unless there is one of that name. */
    default void insert(Connection connection, String table, String name, long id) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(insertSql(table))) {
            insert.setString(1, name);
            insert.setLong(2, id);
            insert.executeUpdate();
        }
    }
}

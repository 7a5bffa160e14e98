package io.distributedid.backend.sequencetable;

import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The SQL of a sequence table. Implementations have no state. */
interface SequenceTableDialect {

    static SequenceTableDialect of(DatabaseProduct product) {
        return switch (product) {
            case MYSQL, MARIADB -> new MySqlSequenceTableDialect();
            case POSTGRESQL -> new PostgreSqlSequenceTableDialect();
            case H2 -> new H2SequenceTableDialect();
        };
    }

    String idType();

    /** The end of the table's DDL. */
    default String tableOptions() {
        return "";
    }

    default String ddl(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table + " (name VARCHAR(50) NOT NULL PRIMARY KEY, id " + idType()
                + " NOT NULL DEFAULT 0)" + tableOptions();
    }

    /**
     * Adds to a sequence's row in one statement. Returns the new value; or -1, and adds nothing, if the row is missing
     * or lies below {@link Addition#lastKnown}, or the fence has another generation.
     */
    long add(Connection connection, Addition addition) throws SQLException;

    /** Runs a statement that returns the value it has set; -1 if it returns no row. */
    static long returned(PreparedStatement update) throws SQLException {
        try (ResultSet changed = update.executeQuery()) {
            return changed.next() ? UnsignedColumn.read(changed, 1) : -1;
        }
    }

    String insertSql(String table);

    /** Creates a row, unless a row has that name. */
    default void insert(Connection connection, String table, String name, long id) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(insertSql(table))) {
            insert.setString(1, name);
            insert.setLong(2, id);
            insert.executeUpdate();
        }
    }
}

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
     * Adds to a sequence's row, if the row does not lie below {@link Addition#lastHere} and the fence is as expected:
     * one statement, which returns the new value.
     *
     * @return the new value, or -1 if nothing was added
     */
    long add(Connection connection, Addition addition) throws SQLException;

    /** Runs a statement that returns the value it has set, or nothing. */
    static long returned(PreparedStatement update) throws SQLException {
        try (ResultSet changed = update.executeQuery()) {
            return changed.next() ? UnsignedColumn.read(changed, 1) : -1;
        }
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

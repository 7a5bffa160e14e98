package io.distributedid.sequencetable;

import io.distributedid.internal.DatabaseProduct;
import java.sql.Connection;
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
     * Adds {@code count} to a sequence's row.
     *
     * @return the new value, or -1 if there is no such row
     */
    long add(Connection connection, String table, String name, long count) throws SQLException;

    /** Creates a sequence's row with 0, unless there is one. */
    void create(Connection connection, String table, String name) throws SQLException;
}

package io.distributedid.backend.sequencetable;

import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;

/** Finds out whether a sequence table survives a crash, and how to repair one that does not. No state. */
interface SequenceTableStorage {

    enum Verdict {
        DURABLE,
        /** A crash empties the table, or undoes commits. */
        VOLATILE,
        /** A view, a temporary table or the like. */
        NO_TABLE
    }

    /**
     * What the database's catalog says about a table.
     *
     * @param property of the table and its allowed value, for messages
     * @param uniqueNames whether a key makes each name unique
     */
    record Found(String property, Verdict verdict, boolean uniqueNames) {}

    static SequenceTableStorage of(DatabaseProduct product) {
        return switch (product) {
            case MYSQL, MARIADB -> new MySqlSequenceTableStorage();
            case POSTGRESQL -> new PostgreSqlSequenceTableStorage();
            case H2 -> new H2SequenceTableStorage();
        };
    }

    Found read(Connection connection, String table) throws SQLException;

    /** The statement that makes a table durable. */
    String makeDurable(String table);

    /** The allowed types of the column {@code id}. */
    default String idTypes() {
        return "BIGINT, NUMERIC(19) or wider";
    }

    /** Whether a sum of decimals that does not fit the column is an error. */
    default boolean decimalsAreExact() {
        return true;
    }

    /** The statement that gives the column {@code id} an allowed type. */
    default String widen(String table) {
        return "ALTER TABLE " + table + " ALTER COLUMN id SET DATA TYPE BIGINT";
    }
}

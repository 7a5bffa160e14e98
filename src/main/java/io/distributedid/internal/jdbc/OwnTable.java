package io.distributedid.internal.jdbc;

/**
 * A table of ours that lies in the application's own database, as a schema export needs to know it. Other applications may use the same
 * table, and ids would come twice without it: it is created if it is missing, and never dropped.
 *
 * @param name perhaps with its schema
 * @param ddl the same object for all tables of a kind
 */
public record OwnTable(String name, Ddl ddl) {

    /** How a kind of table is created. */
    @FunctionalInterface
    public interface Ddl {

        /**
         * The statement.
         *
         * @param product whose SQL it is
         * @param table as in SQL
         * @return {@code CREATE TABLE IF NOT EXISTS ...}
         */
        String create(DatabaseProduct product, String table);
    }
}

package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.ledger.CounterLedger;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.Settings;

/**
 * A ticket table as the settings name it, perhaps with its schema.
 *
 * <p>Our table on MySQL has the primary key {@code stub}. Flickr's has {@code id}, with which concurrent REPLACEs on
 * InnoDB deadlock. Both tables work.
 *
 * @param bits width of the ids in the DDL, 32 or 64; an existing table may have another, see {@link MySqlTicketTable}
 */
record TicketTable(String name, Style style, long bits) {

    /** How a ticket is drawn: Flickr replaces the table's one row; a central auto-increment table gets a new row. */
    enum Style {
        REPLACE,
        INSERT
    }

    /** The {@code stub} of the row that Flickr's clients replace. */
    static final String STUB = "a";

    static TicketTable of(Settings settings) {
        long bits = settings.get(TicketSettings.BITS);
        if (bits != 32 && bits != 64) {
            throw settings.invalid(TicketSettings.BITS, bits, "32, 64");
        }
        return new TicketTable(
                settings.get(TicketSettings.TABLE.withDefault("Tickets" + bits)),
                settings.get(TicketSettings.STYLE),
                bits);
    }

    /** A table of the same kind. */
    TicketTable named(String other) {
        return new TicketTable(other, style, bits);
    }

    /** What stands before the name without the schema: empty, or the schema and a dot. */
    static String schemaOf(String name) {
        return name.substring(0, name.lastIndexOf('.') + 1);
    }

    /** The largest id that a column of the DDL holds. */
    long largest() {
        return bits == 32 ? 0xFFFF_FFFFL : Long.MAX_VALUE;
    }

    /** Creates it unless it is there. Refuses a product without auto-increment columns whose increment can be set. */
    String ddl(DatabaseProduct product) {
        String integer = bits == 32 ? "INT" : "BIGINT";
        return "CREATE TABLE IF NOT EXISTS " + name
                + switch (product) {
                    case MYSQL, MARIADB ->
                        " (id " + integer + " UNSIGNED NOT NULL AUTO_INCREMENT"
                                + (style == Style.REPLACE
                                        ? ", stub CHAR(1) NOT NULL DEFAULT '', PRIMARY KEY (stub), KEY (id))"
                                        : ", PRIMARY KEY (id))")
                                + " ENGINE=InnoDB";
                    case H2 -> " (id " + integer + " NOT NULL, stub CHAR(1) NOT NULL DEFAULT '', PRIMARY KEY (stub))";
                    case POSTGRESQL ->
                        throw new IdConfigurationException("A ticket server must have auto-increment columns whose"
                                + " increment a session can set: product=PostgreSQL, allowed: MySQL, MariaDB, H2. Set"
                                + " distributedid.backend=sequence_table");
                };
    }

    TableCheck.Expected expected(DatabaseProduct product, String label) {
        return new TableCheck.Expected(
                "The ticket table",
                name,
                label,
                ddl(product),
                "SELECT, INSERT, " + (product == DatabaseProduct.H2 ? "UPDATE" : "DELETE"),
                CounterLedger.BESIDE + "; or let the first client create it: distributedid.create_tables=true");
    }

    /** Names the column, and returns no row. */
    String probe() {
        return "SELECT id FROM " + name + " WHERE 1 = 0";
    }

    /** The query of the last id that was written. */
    String last() {
        return style == Style.REPLACE
                ? "SELECT id FROM " + name + " WHERE stub = '" + STUB + "'"
                : "SELECT MAX(id) FROM " + name;
    }
}

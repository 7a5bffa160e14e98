package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counting.sql.ServerVersion;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The SQL that differs between the products that can be ticket servers. Implementations have no state. */
interface TicketDialect {

    /** The {@code stub} of the row that Flickr's clients replace. */
    String STUB = "a";

    /** Refuses a product without a dialect, and a version whose counter does not survive a restart. */
    static TicketDialect of(Connection connection) throws SQLException {
        DatabaseProduct product = DatabaseProduct.of(connection);
        switch (product) {
            case MYSQL -> requireAtLeast(new ServerVersion(8, 0, 0), connection, "MySQL", "8.0");
            case MARIADB -> requireAtLeast(new ServerVersion(10, 2, 4), connection, "MariaDB", "10.2.4");
            case POSTGRESQL, H2 -> {}
        }
        return of(product);
    }

    private static void requireAtLeast(ServerVersion oldest, Connection connection, String product, String allowed)
            throws SQLException {
        if (!ServerVersion.of(connection).isAtLeast(oldest)) {
            throw new IdConfigurationException("A ticket server must keep its counter over a restart: " + product
                    + " version=" + connection.getMetaData().getDatabaseProductVersion() + ", allowed: " + allowed
                    + " or later. Upgrade it, or use a sequence table");
        }
    }

    static TicketDialect of(DatabaseProduct product) {
        return switch (product) {
            case MYSQL, MARIADB -> new MySqlTicketDialect(product);
            case H2 -> new H2TicketDialect();
            case POSTGRESQL ->
                throw new IdConfigurationException("A ticket server must have auto-increment columns whose"
                        + " increment a session can set: product=PostgreSQL, allowed: MySQL, MariaDB, H2. Set"
                        + " distributedid.backend=sequence_table");
        };
    }

    String ddl(TicketTable table);

    /** A text that no other server has. It reveals a server that is listed under two names. */
    String address(Connection connection) throws SQLException;

    /** Refuses a read-only server. */
    void requireWritable(Connection connection, String label) throws SQLException;

    /**
     * The numbering that the server gave to this session. Refuses a product without one, and one that a cluster sets
     * and changes by itself.
     */
    Numbering serverNumbering(Connection connection, String label) throws SQLException;

    /** The session's present numbering, whether the operator or a cluster set it. */
    Numbering sessionNumbering(Connection connection) throws SQLException;

    /** Reads the table's definition, and refuses a table that can't give tickets in the configured style. */
    TicketCounter counter(TicketCounter.Place place, String label) throws SQLException;

    /**
     * Reads the definitions of several tables of one schema as {@link #counter} does, in few trips. Leaves out those
     * that must be opened one by one, which by default are all.
     *
     * @param create whether to create those that are missing
     * @return what makes the counter of each table
     */
    default Map<TicketTable, Function<TicketCounter.Place, TicketCounter>> counters(
            Connection connection, List<TicketTable> tables, boolean create, String label) throws SQLException {
        return Map.of();
    }

    /** Prepares a session for tickets. Returns the old value, for {@link #restore}. */
    default String prepare(Connection connection) throws SQLException {
        return "";
    }

    /** Restores the session's numbering and what {@link #prepare} changed. */
    default void restore(Connection connection, Numbering server, String prepared) throws SQLException {}
}

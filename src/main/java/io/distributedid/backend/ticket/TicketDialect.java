package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/** What differs between the products that can be ticket servers. Implementations have no state. */
interface TicketDialect {

    /** The stub of the row that Flickr's clients replace. */
    String STUB = "a";

    /**
     * The dialect of the server at the other end.
     *
     * @throws IdConfigurationException if the server's counter does not survive a restart, or there is none
     */
    static TicketDialect of(Connection connection) throws SQLException {
        DatabaseProduct product = DatabaseProduct.of(connection);
        DatabaseMetaData metaData = connection.getMetaData();
        if (product == DatabaseProduct.MYSQL && metaData.getDatabaseMajorVersion() < 8) {
            throw new IdConfigurationException("A ticket server must keep its counter over a restart: MySQL version="
                    + metaData.getDatabaseProductVersion()
                    + ", allowed: 8.0 or later. Upgrade it, or use a sequence table");
        }
        return of(product);
    }

    /**
     * The dialect of a product.
     *
     * @throws IdConfigurationException if there is none
     */
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

    /** The statement that creates the table. */
    String ddl(TicketTable table);

    /** What no other server has, so that one server listed under two names is noticed. */
    String place(Connection connection) throws SQLException;

    /**
     * Refuses a server from which no tickets can be drawn.
     *
     * @throws IdConfigurationException if it is read-only
     */
    void requireWritable(Connection connection, String label) throws SQLException;

    /**
     * The numbering as the server set it for this session.
     *
     * @throws IdConfigurationException if this kind of server has none, or it is not the operator's
     */
    Numbering serverNumbering(Connection connection, String label) throws SQLException;

    /** The numbering of the session as it is, whoever set it. */
    Numbering sessionNumbering(Connection connection) throws SQLException;

    /**
     * Looks at the table.
     *
     * @return draws tickets from it
     * @throws IdConfigurationException if the table can't give tickets in that style
     */
    TicketCounter counter(TicketCounter.Place place, String label) throws SQLException;

    /**
     * Prepares a session for tickets.
     *
     * @return what {@link #restore} needs to set it back
     */
    default String prepare(Connection connection) throws SQLException {
        return "";
    }

    /** Sets a session back as {@link #serverNumbering} and {@link #prepare} found it. */
    default void restore(Connection connection, Numbering server, String prepared) throws SQLException {}
}

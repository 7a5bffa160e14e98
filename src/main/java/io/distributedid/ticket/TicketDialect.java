package io.distributedid.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.DatabaseProduct;
import io.distributedid.internal.counter.ClaimRows;
import io.distributedid.internal.counter.Numbering;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/** What differs between the products that can be ticket servers. Implementations have no state. */
interface TicketDialect {

    /** The stub of the row that Flickr's clients replace. */
    String STUB = "a";

    /** The stubs of the two rows that hold the increment and the offset which clients agreed on. */
    ClaimRows CLAIM = new ClaimRows("stub", "+", "@");

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
    String identity(Connection connection) throws SQLException;

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

    /**
     * Writes the numbering into the table, unless one is there.
     *
     * @return the one that is there now
     */
    Numbering claim(Connection connection, TicketTable table, Numbering wanted) throws SQLException;

    /**
     * Looks at the table.
     *
     * @return draws tickets from it
     * @throws IdConfigurationException if the table can't give tickets in that style
     */
    TicketCounter counter(Connection connection, TicketTable table, Numbering numbering, String label)
            throws SQLException;

    /** How an operator raises a counter. */
    String raiseSql(TicketTable table, String id);

    /** Sets a session back as {@link #serverNumbering} found it. */
    void restore(Connection connection, Numbering server) throws SQLException;
}

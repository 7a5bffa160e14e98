package io.distributedid.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.ClaimRows;
import io.distributedid.internal.DatabaseProduct;
import io.distributedid.internal.Numbering;
import io.distributedid.internal.UnsignedColumn;
import io.distributedid.spi.Block;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The SQL of a ticket server. Implementations have no state. */
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
            case MYSQL -> new MySqlTicketDialect("@@server_uuid");
            case MARIADB -> new MySqlTicketDialect("@@server_uid");
            case H2 -> new H2TicketDialect();
            case POSTGRESQL ->
                throw new IdConfigurationException("A ticket server must have auto-increment columns whose"
                        + " increment a session can set: product=PostgreSQL, allowed: MySQL, MariaDB, H2. Set"
                        + " distributedid.backend=sequence_table");
        };
    }

    /** The statement that creates the table. */
    String ddl(String table);

    /** What no other server has, so that one server listed under two names is noticed. */
    String identity(Connection connection) throws SQLException;

    /**
     * The numbering as the server set it for this session.
     *
     * @throws IdConfigurationException if this kind of server has none
     */
    Numbering serverNumbering(Connection connection) throws SQLException;

    /**
     * Writes the numbering into the table, unless one is there.
     *
     * @return the one that is there now
     */
    Numbering claim(Connection connection, String table, Numbering wanted) throws SQLException;

    /**
     * Reserves {@code count} ids of the numbering.
     *
     * @throws SQLException also if the server did not do as told
     */
    Block reserve(Connection connection, String table, Numbering numbering, long count) throws SQLException;

    /** The last ticket given, 0 if there is none. */
    default long last(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT id FROM " + table + " WHERE stub = '" + STUB + "'")) {
            return row.next() ? UnsignedColumn.read(row, 1) : 0;
        }
    }

    /** Raises the counter, so that the next tickets lie above {@code last}, which is one of the server's own numbers. */
    void raise(Connection connection, String table, long last) throws SQLException;

    /** Sets a session back as {@link #serverNumbering} found it. */
    void restore(Connection connection, Numbering server) throws SQLException;
}

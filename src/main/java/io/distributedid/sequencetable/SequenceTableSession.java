package io.distributedid.sequencetable;

import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.Database;
import io.distributedid.internal.DatabaseProduct;
import io.distributedid.internal.Tables;
import io.distributedid.spi.Block;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/** A connection to the database of a sequence table, and the tables that were looked at. For one thread at a time. */
final class SequenceTableSession implements Database.Session {

    private final Connection connection;

    private final SequenceTableDialect dialect;

    private final boolean createTable;

    private final Set<String> openTables = new HashSet<>();

    SequenceTableSession(Connection connection, boolean createTable) throws SQLException {
        this.connection = connection;
        this.dialect = SequenceTableDialect.of(DatabaseProduct.of(connection));
        this.createTable = createTable;
    }

    /** Checks that the table is there; once on each connection. */
    void open(String table, String label) throws SQLException {
        if (openTables.contains(table)) {
            return;
        }
        String ddl = dialect.ddl(table);
        Tables.require(
                connection,
                createTable,
                ddl,
                "SELECT name, id FROM " + table + " WHERE 1 = 0",
                "The sequence table is missing: table=" + table + " on " + label + ". Create it: " + ddl
                        + "; or let Hibernate create it (hibernate.hbm2ddl.auto), or set"
                        + " distributedid.sequence_table.create_table=true");
        openTables.add(table);
    }

    /** Reserves {@code count} ids, creating the sequence at its first use. */
    Block reserve(String table, String name, long count) throws SQLException {
        long last = dialect.add(connection, table, name, count);
        if (last < 0) {
            dialect.create(connection, table, name);
            last = dialect.add(connection, table, name, count);
            if (last < 0) {
                throw new SQLException("The row of a sequence vanished: table=" + table + " name=" + name);
            }
        }
        if (last < count) {
            throw new IdsExhaustedException("The counter of a sequence must not be negative: table=" + table + " name="
                    + name + " id=" + last + ". Set it to the largest id in use");
        }
        return new Block(last - count + 1, 1, count);
    }
}

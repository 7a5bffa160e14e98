package io.distributedid.internal.keyed.row;

import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;

/**
 * The mark of a sequence that is numbered from sections is its {@link RowRecord}, in the table of rows. So each way of
 * numbering a sequence inserts the same row before its first number, and the others find it.
 *
 * @param table of rows, in SQL
 * @param create whether to create it if it is missing
 */
public record SectionMark(String table, boolean create) {

    private RowTable rows(String label) {
        return new RowTable(table, create, label);
    }

    private TableCheck.Expected expected(RowDialect dialect, String label) {
        return new TableCheck.Expected(
                "The table that records how a sequence is numbered",
                table,
                label,
                dialect.ddl(table),
                "SELECT, INSERT",
                "; or let Hibernate create it (hibernate.hbm2ddl.auto), or the first client: "
                        + "distributedid.create_tables=true");
    }

    /**
     * Checks the table of marks, on a new connection.
     *
     * @param label of the database, for messages
     */
    public void requireTable(Connection connection, String label) throws SQLException {
        DatabaseProduct product = DatabaseProduct.of(connection);
        rows(label).require(connection, product, expected(RowDialect.of(product), label));
    }

    /** Whether the mark of a sequence is there. Throws if its numbers are taken in another way. */
    public boolean isThere(Connection connection, String sequence) throws SQLException {
        RowDialect dialect = RowDialect.of(DatabaseProduct.of(connection));
        OptionalLong found = dialect.read(connection, record(sequence));
        if (found.isPresent()) {
            requireSections(found.getAsLong(), sequence);
        } else if (RowDialect.hasOtherRow(connection, table, sequence, List.of(RowKey.RECORD))) {
            // An operator may have inserted rows of keys. A record that another process wrote a moment ago is none.
            throw RowRecord.hasRows(sequence, where());
        }
        return found.isPresent();
    }

    /** Writes the mark of a sequence unless it is there. Throws if its numbers are taken in another way. */
    public void require(Connection connection, String label, String sequence) throws SQLException {
        if (isThere(connection, sequence)) {
            return;
        }
        RowDialect dialect = RowDialect.of(DatabaseProduct.of(connection));
        insert(connection, dialect, record(sequence), label);
        long number = dialect.read(connection, record(sequence)).orElseThrow(() -> RowRecord.deleted(sequence));
        requireSections(number, sequence);
    }

    private RowKey record(String sequence) {
        return new RowKey(table, sequence, RowKey.RECORD);
    }

    private String where() {
        return "table=" + table;
    }

    private void requireSections(long number, String sequence) {
        RowRecord.parse(number, sequence, where()).requireSections(sequence, where());
    }

    private void insert(Connection connection, RowDialect dialect, RowKey record, String label) throws SQLException {
        try {
            // If another process is faster, its record is read afterwards.
            boolean unused = dialect.insert(connection, record, RowRecord.SECTIONS.number());
        } catch (SQLException e) {
            if (SqlErrors.isDenied(e) || SqlErrors.tableMayBeMissing(e)) {
                throw TableCheck.denied(e, expected(dialect, label));
            }
            throw e;
        }
    }
}

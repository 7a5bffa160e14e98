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

    /**
     * Checks the table of marks, on a new connection.
     *
     * @param label of the database, for messages
     */
    public void requireTable(Connection connection, String label) throws SQLException {
        RowTable rows = rows(label);
        rows.require(connection, rows.expectedBySections(DatabaseProduct.of(connection)));
    }

    /** Whether the mark of a sequence is there. Throws if its numbers are taken in another way. */
    public boolean isThere(Connection connection, String sequence) throws SQLException {
        return isThere(RowSql.on(connection, table), sequence);
    }

    private boolean isThere(RowSql rows, String sequence) throws SQLException {
        OptionalLong found = rows.read(RowKey.record(sequence));
        if (found.isPresent()) {
            require(found.getAsLong(), sequence);
        } else if (rows.hasOtherRow(sequence, List.of(RowKey.RECORD))) {
            // An operator may have inserted rows of keys. A record that another process wrote a moment ago is none.
            throw RowRecord.hasRows(sequence, where());
        }
        return found.isPresent();
    }

    /** Writes the mark of a sequence unless it is there. Throws if its numbers are taken in another way. */
    public void require(Connection connection, String label, String sequence) throws SQLException {
        RowSql rows = RowSql.on(connection, table);
        if (isThere(rows, sequence)) {
            return;
        }
        try {
            // If another process is faster, its record is read afterwards.
            boolean unused = rows.insert(RowKey.record(sequence), RowRecord.SECTIONS.number());
        } catch (SQLException e) {
            if (SqlErrors.isDenied(e) || SqlErrors.tableMayBeMissing(e)) {
                throw TableCheck.denied(e, rows(label).expectedBySections(DatabaseProduct.of(connection)));
            }
            throw e;
        }
        require(rows.read(RowKey.record(sequence)).orElseThrow(() -> RowRecord.deleted(sequence)), sequence);
    }

    private void require(long number, String sequence) {
        RowRecord unused = RowRecord.parse(number, RowRecord.Way.SECTIONS, sequence, where());
    }

    private String where() {
        return "table=" + table;
    }
}

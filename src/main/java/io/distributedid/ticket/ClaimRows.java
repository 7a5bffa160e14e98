package io.distributedid.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.UnsignedColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Reads the two rows of a ticket table that hold the increment and the offset which clients agreed on. */
final class ClaimRows {

    private ClaimRows() {}

    static Numbering read(Statement statement, String table) throws SQLException {
        long increment = 0;
        long offset = 0;
        try (ResultSet row = statement.executeQuery("SELECT stub, id FROM " + table + " WHERE stub IN ('"
                + TicketDialect.INCREMENT_STUB + "', '" + TicketDialect.OFFSET_STUB + "')")) {
            while (row.next()) {
                long value = UnsignedColumn.read(row, 2);
                if (row.getString(1).equals(TicketDialect.INCREMENT_STUB)) {
                    increment = value;
                } else {
                    offset = value;
                }
            }
        }
        if (increment < 1 || offset < 1) {
            throw new IdConfigurationException(
                    "The ticket table can't hold the numbering that clients agree on: table=" + table
                            + ". Its primary key must be 'stub' (see the table's DDL), or set distributedid.ticket.numbering=server");
        }
        return new Numbering(increment, offset);
    }
}

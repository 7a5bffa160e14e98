package io.distributedid.backend.ticket;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.spi.Settings;
import java.util.Optional;

/**
 * A ticket table. The name may have a schema.
 *
 * @param bits width of the ids in the DDL, 32 or 64; an existing table may have another, see {@link MySqlTicketTable}
 */
record TicketTable(String name, TicketStyle style, long bits) implements CounterKey {

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

    @Override
    public String table() {
        return name;
    }

    /** Its schema, whose tables share the table of the record. */
    @Override
    public String group() {
        return name.substring(0, name.lastIndexOf('.') + 1);
    }

    /** The schema, in SQL on MySQL and MariaDB. */
    String schema() {
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "DATABASE()" : "'" + name.substring(0, dot) + "'";
    }

    /** The name without the schema. */
    String unqualified() {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    @Override
    public String rowName() {
        return TicketDialect.STUB;
    }

    @Override
    public boolean isAloneInItsTable() {
        return true;
    }

    @Override
    public Optional<String> additionCommand() {
        return Optional.of("distributedid add-server");
    }

    /** The largest id that a column of the DDL holds. */
    long largest() {
        return bits == 32 ? 0xFFFF_FFFFL : Long.MAX_VALUE;
    }

    /** For messages. */
    @Override
    public String toString() {
        return "table=" + name;
    }
}

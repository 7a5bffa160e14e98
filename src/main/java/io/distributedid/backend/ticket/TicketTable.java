package io.distributedid.backend.ticket;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.spi.Settings;

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

    @Override
    public String rowName() {
        return TicketDialect.STUB;
    }

    @Override
    public boolean isAloneInItsTable() {
        return true;
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

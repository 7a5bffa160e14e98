package io.distributedid.backend.ticket;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.spi.Settings;

/**
 * A table from which tickets are drawn.
 *
 * @param name perhaps with schema
 * @param style how they are drawn
 * @param bits width of the ids, 32 or 64, in the DDL; what the table really holds is read from it
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
    public String rowName() {
        return TicketDialect.STUB;
    }

    @Override
    public boolean isAloneInItsTable() {
        return true;
    }

    /** The largest id that the column of the DDL holds. */
    long largest() {
        return bits == 32 ? 0xFFFF_FFFFL : Long.MAX_VALUE;
    }

    /** As in messages. */
    @Override
    public String toString() {
        return "table=" + name;
    }
}

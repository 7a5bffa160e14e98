package io.distributedid.backend.ticket;

import io.distributedid.DistributedIdSettings;
import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.settings.TableName;
import io.distributedid.spi.Settings;

/**
 * A ticket table. The name may have a schema.
 *
 * @param bits width of the ids in the DDL, 32 or 64; an existing table may have another, see {@link MySqlTicketTable}
 */
record TicketTable(String name, TicketStyle style, long bits) implements CounterKey {

    static TicketTable of(Settings settings) {
        long bits = settings.number(DistributedIdSettings.TICKET_BITS, 64, 32, 64);
        if (bits != 32 && bits != 64) {
            throw settings.invalid(DistributedIdSettings.TICKET_BITS, bits, "32, 64");
        }
        return new TicketTable(
                TableName.of(settings, DistributedIdSettings.TICKET_TABLE, "Tickets" + bits),
                settings.choice(DistributedIdSettings.TICKET_STYLE, TicketStyle.REPLACE),
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

package io.distributedid.backend.ticket;

import io.distributedid.DistributedIdSettings;
import io.distributedid.internal.counter.CountingSettings;
import io.distributedid.spi.Setting;
import java.util.List;

/** The settings of tickets. */
final class TicketSettings {

    /** What sets increment and offset of a ticket server. */
    enum NumberedBy {
        /** The server's own my.cnf. */
        SERVER,
        /** The server's place in the list of servers, which its record keeps. */
        CLIENT
    }

    static final CountingSettings COUNTING = CountingSettings.of(Setting.servers(DistributedIdSettings.TICKET_SERVERS));

    static final Setting<String> TABLE =
            Setting.table(DistributedIdSettings.TICKET_TABLE, "Tickets64").logged();

    static final Setting<TicketStyle> STYLE = Setting.choice(DistributedIdSettings.TICKET_STYLE, TicketStyle.REPLACE);

    static final Setting<Long> BITS = Setting.number(DistributedIdSettings.TICKET_BITS, 64, 32, 64);

    static final Setting<NumberedBy> NUMBERING =
            Setting.choice(DistributedIdSettings.TICKET_NUMBERING, NumberedBy.SERVER);

    static final List<Setting<?>> ALL = COUNTING.and(TABLE, STYLE, BITS, NUMBERING);

    private TicketSettings() {}
}

package io.distributedid.backend.ticket;

import io.distributedid.internal.counter.CountingSettings;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The settings of tickets. */
final class TicketSettings {

    /** What sets increment and offset of a ticket server. */
    enum NumberedBy {
        /** The server's own my.cnf. */
        SERVER,
        /** The server's place in the list of servers, which its record keeps. */
        CLIENT
    }

    static final CountingSettings COUNTING = CountingSettings.of(Setting.servers("distributedid.ticket.servers"));

    static final Setting<String> TABLE =
            Setting.table("distributedid.ticket.table", "Tickets64").logged();

    static final Setting<TicketStyle> STYLE = Setting.choice("distributedid.ticket.style", TicketStyle.REPLACE);

    static final Setting<Long> BITS = Setting.number("distributedid.ticket.bits", 64, 32, 64);

    static final Setting<NumberedBy> NUMBERING =
            Setting.choice("distributedid.ticket.numbering", NumberedBy.SERVER);

    /** Leaves room for servers that are added later, and blocks of up to 6,553 ids. */
    static final long ADVISED_INCREMENT = 10;

    /** No default: the number of servers. */
    static final Setting<Long> INCREMENT =
            Setting.number("distributedid.ticket.increment", 1, 1_000).defaultIs("the number of servers");

    static final List<Setting<?>> ALL = COUNTING.and(TABLE, STYLE, BITS, NUMBERING, INCREMENT);

    /**
     * The distance between two ids of one server, if the clients number the servers; empty if the servers do.
     *
     * @param servers how many there are
     */
    static OptionalLong incrementOfClients(Settings settings, int servers) {
        Optional<Long> increment = settings.find(INCREMENT);
        if (settings.get(NUMBERING) == NumberedBy.SERVER) {
            if (increment.isPresent()) {
                throw settings.invalid(
                        INCREMENT,
                        increment.get(),
                        "only with " + settings.writtenAs(NUMBERING)
                                + "=client. Remove it, and write auto_increment_increment into my.cnf of each server");
            }
            return OptionalLong.empty();
        }
        if (increment.isPresent() && increment.get() < servers) {
            throw settings.invalid(
                    INCREMENT, increment.get(), "at least the number of servers, " + servers + ", to 1000");
        }
        return OptionalLong.of(increment.orElse((long) servers));
    }

    private TicketSettings() {}
}

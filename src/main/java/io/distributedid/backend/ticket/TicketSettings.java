package io.distributedid.backend.ticket;

import io.distributedid.internal.counter.CountingSettings;
import io.distributedid.internal.settings.CoreSettings;
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
        /** The server's place in the list of servers, which its ledger keeps. */
        CLIENT
    }

    static final CountingSettings COUNTING = new CountingSettings(
            Setting.servers(
                    "distributedid.ticket.servers",
                    "The ticket servers, in order. They divide the ids between them, and any of them is enough."),
            "ticket servers");

    static final Setting<String> TABLE = Setting.table(
                    "distributedid.ticket.table",
                    "The ticket table. With ticket.bits=32 the default is Tickets32.",
                    "Tickets64")
            .logged();

    static final Setting<TicketTable.Style> STYLE = Setting.choice(
            "distributedid.ticket.style",
            "How ids are drawn: replace one row again and again, as Flickr did, or insert a row for each block into a"
                    + " central auto-increment table, from which old rows are deleted.",
            TicketTable.Style.REPLACE);

    static final Setting<Long> BITS = Setting.number(
                    "distributedid.ticket.bits",
                    "The width of the ids, and of their column in the table's DDL.",
                    64,
                    32,
                    64)
            .allowing("64, 32");

    static final Setting<NumberedBy> NUMBERING = Setting.choice(
            "distributedid.ticket.numbering",
            "What divides the ids between the servers: auto_increment_increment and auto_increment_offset of each"
                    + " server, or the order of ticket.servers and ticket.increment, which the servers keep in their ledgers.",
            NumberedBy.SERVER);

    /** Leaves room for servers that are added later, and blocks of up to 6,553 ids. */
    static final long ADVISED_INCREMENT = 10;

    static final Setting<Long> INCREMENT = Setting.number(
            "distributedid.ticket.increment",
            "The distance between two ids of one server with ticket.numbering=client: at least the number of servers,"
                    + " and the same in all applications. A larger value leaves room for servers that are added later.",
            ADVISED_INCREMENT,
            1,
            1_000);

    static final List<Setting<?>> ALL =
            COUNTING.and(CoreSettings.CREATE_TABLES, TABLE, STYLE, BITS, NUMBERING, INCREMENT);

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
        if (increment.isEmpty() && servers > ADVISED_INCREMENT) {
            throw settings.missing(
                    INCREMENT,
                    "There are " + servers + " servers, and its default is " + ADVISED_INCREMENT
                            + ". Set the increment to at least " + servers + ", the same in all applications");
        }
        return OptionalLong.of(increment.orElse(ADVISED_INCREMENT));
    }

    private TicketSettings() {}
}

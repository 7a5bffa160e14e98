package io.distributedid.backend.ticket;

/** How a ticket is drawn. */
enum TicketStyle {
    /** Flickr's way: the table's one row is replaced. */
    REPLACE,
    /** The central auto-increment table: a row is added, and old ones are deleted. */
    INSERT
}

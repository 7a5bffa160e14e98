package io.distributedid.backend.ticket;

/** How a ticket is drawn: Flickr replaces the table's one row; a central auto-increment table gets a new row. */
enum TicketStyle {
    REPLACE,
    INSERT
}

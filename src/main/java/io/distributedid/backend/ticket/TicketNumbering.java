package io.distributedid.backend.ticket;

/** Who says which ids a ticket server gives. */
enum TicketNumbering {
    /** Its own my.cnf. */
    SERVER,
    /** Its place in the list of servers, claimed in its table. */
    CLIENT
}

package io.distributedid.backend.ticket;

import io.distributedid.internal.counting.ledger.CounterLedger;

/**
 * What the ticket tables of one schema have in common.
 *
 * @param ledger of all
 * @param identity of the server and the schema
 */
record TicketSchema(CounterLedger ledger, String identity) {}

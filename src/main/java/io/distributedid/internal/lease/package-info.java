/**
 * Rights that one process holds at a time, by a row of a {@link io.distributedid.internal.ledger.Ledger}: worker
 * numbers with windows of id time, and the ownership of a sequence in strict order.
 * {@link io.distributedid.internal.lease.LeaseProtocol} decides about one right,
 * {@link io.distributedid.internal.lease.StoreRules} about the store of them.
 */
@NullMarked
package io.distributedid.internal.lease;

import org.jspecify.annotations.NullMarked;

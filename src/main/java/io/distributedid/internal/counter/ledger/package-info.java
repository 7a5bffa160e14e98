/** Counters in the ledger of a database, for the backends with tables. May change in any release. */
@NullMarked
package io.distributedid.internal.counter.ledger;

import org.jspecify.annotations.NullMarked;

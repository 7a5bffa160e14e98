/**
 * The small table beside the ids that holds what must outlive a process: see
 * {@link io.distributedid.internal.ledger.Ledger}. It knows rows and versions, and nothing of what they are for.
 */
@NullMarked
package io.distributedid.internal.ledger;

import org.jspecify.annotations.NullMarked;

/**
 * Numbers per key from memory: one process of the issuing service at a time gives those of a section, by a lease on the
 * ledger.
 */
@NullMarked
package io.distributedid.internal.keyed.served;

import org.jspecify.annotations.NullMarked;
